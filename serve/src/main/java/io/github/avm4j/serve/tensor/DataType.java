// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import io.github.avm4j.serve.http.Problem;

/** The protocol's tensor types that carry numbers or texts, with their size in binary form. */
public enum DataType {
  /** 0 or 1. */
  BOOL(1, 0, 1),
  /** Unsigned, 8 bits. */
  UINT8(1, 0, 255),
  /** Unsigned, 16 bits. */
  UINT16(2, 0, 65_535),
  /** Unsigned, 32 bits. */
  UINT32(4, 0, 4_294_967_295.0),
  /** Unsigned, 64 bits. */
  UINT64(8, 0, 0x1p64),
  /** Signed, 8 bits. */
  INT8(1, -128, 127),
  /** Signed, 16 bits. */
  INT16(2, -32_768, 32_767),
  /** Signed, 32 bits. */
  INT32(4, Integer.MIN_VALUE, Integer.MAX_VALUE),
  /** Signed, 64 bits. */
  INT64(8, -0x1p63, 0x1p63),
  /** Half precision; binary form only. */
  FP16(2, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
  /** Single precision. */
  FP32(4, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
  /** Double precision. */
  FP64(8, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
  /** Texts in UTF-8; in binary form each after its length in four bytes. */
  BYTES(0, 0, 0);

  private final int size;
  private final double least;
  private final double most;

  DataType(int size, double least, double most) {
    this.size = size;
    this.least = least;
    this.most = most;
  }

  /** The type of that name; the protocol's names are case-sensitive. */
  public static DataType named(String name) {
    for (DataType type : values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    throw Problem.badRequest(
        "datatype '"
            + (name.length() > 20 ? name.substring(0, 20) + "…" : name)
            + "' is not known");
  }

  /** Bytes of an element in binary form; 0 for {@link #BYTES}. */
  int size() {
    return size;
  }

  /** Whether its numbers have no fraction. */
  boolean isWhole() {
    return this != FP16 && this != FP32 && this != FP64;
  }

  /** Checks a number that came as text. NaN stands for a missing one. */
  void check(double value) {
    if (isWhole()
        && !Double.isNaN(value)
        && (value < least || value > most || value != Math.rint(value))) {
      throw Problem.badRequest(value + " is no " + name());
    }
  }
}
