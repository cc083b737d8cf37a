// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes tensors as bytes, for the binary extension: little-endian, row-major, no
 * padding. The length is checked against the shape before anything is allocated.
 */
final class BinaryTensor {
  private BinaryTensor() {}

  /** Reads all of {@code bytes}. */
  static Tensor read(String name, DataType type, long[] shape, ByteBuffer bytes, Limits limits) {
    long count = Tensor.count(name, shape);
    limits.checkElements(count);
    ByteBuffer in = bytes.order(ByteOrder.LITTLE_ENDIAN);
    if (type == DataType.BYTES) {
      return Tensor.texts(name, shape, texts(name, (int) count, in));
    }
    if (in.remaining() != count * type.size()) {
      throw Problem.badRequest(
          "tensor '" + name + "' needs " + count * type.size() + " bytes, has " + in.remaining());
    }
    double[] numbers = new double[(int) count];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = number(type, in);
      if (!Double.isFinite(numbers[k])) {
        throw notFinite(name, k, numbers[k]);
      }
    }
    return Tensor.numbers(name, type, shape, numbers);
  }

  /** Bytes that are no number would pass for a missing value. */
  private static Problem notFinite(String name, int k, double value) {
    return Problem.badRequest(
        "element "
            + k
            + " of tensor '"
            + name
            + "' is "
            + value
            + "; send finite numbers and leave out the input if they are missing");
  }

  private static String[] texts(String name, int count, ByteBuffer in) {
    if (in.remaining() < 4L * count) {
      throw Problem.badRequest(
          "tensor '" + name + "' needs at least " + 4L * count + " bytes, has " + in.remaining());
    }
    String[] texts = new String[count];
    for (int k = 0; k < count; k++) {
      int length = in.remaining() < 4 ? -1 : in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw Problem.badRequest("tensor '" + name + "' ends within element " + k);
      }
      byte[] text = new byte[length];
      in.get(text);
      texts[k] = new String(text, StandardCharsets.UTF_8);
    }
    if (in.hasRemaining()) {
      throw Problem.badRequest(
          "tensor '" + name + "' has " + in.remaining() + " bytes after its last element");
    }
    return texts;
  }

  private static double number(DataType type, ByteBuffer in) {
    return switch (type) {
      case BOOL -> in.get() != 0 ? 1 : 0;
      case UINT8 -> in.get() & 0xFF;
      case UINT16 -> in.getShort() & 0xFFFF;
      case UINT32 -> in.getInt() & 0xFFFF_FFFFL;
      case UINT64 -> unsigned(in.getLong());
      case INT8 -> in.get();
      case INT16 -> in.getShort();
      case INT32 -> in.getInt();
      case INT64 -> in.getLong();
      case FP16 -> half(in.getShort());
      case FP32 -> in.getFloat();
      case FP64 -> in.getDouble();
      case BYTES -> throw new IllegalArgumentException("texts are no numbers");
    };
  }

  static double unsigned(long bits) {
    return bits >= 0 ? bits : (double) (bits >>> 1 | bits & 1) * 2;
  }

  /** IEEE 754 binary16. */
  static double half(short bits) {
    int exponent = bits >> 10 & 0x1F;
    int fraction = bits & 0x3FF;
    double magnitude =
        exponent == 0
            ? fraction * 0x1p-24
            : exponent == 31
                ? (fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
                : (1024 + fraction) * Math.scalb(1.0, exponent - 25);
    return bits < 0 ? -magnitude : magnitude;
  }

  /** FP64 as bytes. */
  static byte[] write(double[] numbers) {
    ByteBuffer out = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (double number : numbers) {
      out.putDouble(number);
    }
    return out.array();
  }

  /** BYTES as bytes. */
  static byte[] write(String[] texts) {
    byte[][] parts = new byte[texts.length][];
    int size = 0;
    for (int k = 0; k < texts.length; k++) {
      parts[k] = texts[k].getBytes(StandardCharsets.UTF_8);
      size += 4 + parts[k].length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] part : parts) {
      out.putInt(part.length).put(part);
    }
    return out.array();
  }

  /** An output tensor as bytes. */
  static byte[] write(Tensor tensor) {
    return tensor.type() == DataType.BYTES ? write(tensor.texts()) : write(tensor.numbers());
  }
}
