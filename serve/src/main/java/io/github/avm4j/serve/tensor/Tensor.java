// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import io.github.avm4j.serve.http.Problem;
import java.util.Arrays;

/**
 * A named array of numbers or texts, flat and row-major, its first dimension the rows.
 *
 * <p>Every type of number is a double here: features are doubles anyway. What does not fit its
 * shape never becomes a tensor.
 */
public final class Tensor {
  private final String name;
  private final DataType type;
  private final long[] shape;
  private final double[] numbers;
  private final String[] texts;

  private Tensor(String name, DataType type, long[] shape, double[] numbers, String[] texts) {
    this.name = name;
    this.type = type;
    this.shape = shape;
    this.numbers = numbers;
    this.texts = texts;
    long expected = count(name, shape);
    int found = type == DataType.BYTES ? texts.length : numbers.length;
    if (expected != found) {
      throw Problem.badRequest(
          "tensor '"
              + name
              + "' of shape "
              + Arrays.toString(shape)
              + " needs "
              + expected
              + " elements, has "
              + found);
    }
  }

  /** Numbers; takes ownership of the arrays. */
  static Tensor numbers(String name, DataType type, long[] shape, double[] numbers) {
    return new Tensor(name, type, shape, numbers, new String[0]);
  }

  /** Texts; takes ownership of the arrays. */
  static Tensor texts(String name, long[] shape, String[] texts) {
    return new Tensor(name, DataType.BYTES, shape, new double[0], texts);
  }

  /** Number of elements of a shape, checked against overflow. */
  static long count(String name, long[] shape) {
    if (shape.length == 0) {
      throw Problem.badRequest("tensor '" + name + "' has no shape");
    }
    long count = 1;
    for (long extent : shape) {
      if (extent < 0 || extent > Integer.MAX_VALUE) {
        throw Problem.badRequest(
            "tensor '" + name + "' cannot have the shape " + Arrays.toString(shape));
      }
      count *= extent;
      if (count > Integer.MAX_VALUE) {
        throw Problem.tooLarge(
            "tensor '" + name + "' of shape " + Arrays.toString(shape) + " is too large");
      }
    }
    return count;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its type. */
  public DataType type() {
    return type;
  }

  /** Its shape; not to be changed. */
  public long[] shape() {
    return shape;
  }

  /** The first dimension. */
  public int rows() {
    return (int) shape[0];
  }

  /** Elements a row. */
  public int width() {
    long width = 1;
    for (int k = 1; k < shape.length; k++) {
      width *= shape[k];
    }
    return (int) width;
  }

  /** The numbers; not to be changed. Empty for texts. */
  public double[] numbers() {
    return numbers;
  }

  /** The texts; not to be changed. Empty for numbers. */
  public String[] texts() {
    return texts;
  }
}
