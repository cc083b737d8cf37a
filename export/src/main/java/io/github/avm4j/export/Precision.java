// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

/**
 * The number type of an ONNX graph's inputs, core points and scores.
 *
 * @since 0.1.0
 */
public enum Precision {
  /** As the model computes: 64 bits. */
  DOUBLE(11),
  /** Half the size, about seven digits. Encoding and scaling are done in double even so. */
  FLOAT(1);

  /** TensorProto.DataType. */
  final int code;

  Precision(int code) {
    this.code = code;
  }
}
