// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The kernels there are, one row each. The file format and the tests read these rows; a kernel is
 * added by a row at the end and its name in {@link Kernel}.
 *
 * <p>A row begins with its code in files, which is never used again.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum KernelKind {
  /** {@link Gaussian}. */
  GAUSSIAN(0, Gaussian.class, Gaussian::new),
  /** {@link Laplacian}. */
  LAPLACIAN(1, Laplacian.class, Laplacian::new),
  /** {@link Matern32}. */
  MATERN32(2, Matern32.class, Matern32::new),
  /** {@link Matern52}. */
  MATERN52(3, Matern52.class, Matern52::new),
  /** {@link RationalQuadratic}. */
  RATIONAL_QUADRATIC(
      4, RationalQuadratic.class, 1, RationalQuadratic::new, RationalQuadratic::alpha);

  /** Makes a kernel of a width and a shape. */
  private interface Maker<T> {
    T make(double gamma, double shape);
  }

  private final int code;
  private final Class<? extends Kernel> type;
  private final double usual;
  private final Maker<? extends Kernel> made;
  private final ToDoubleFunction<Kernel> shape;

  <T extends Kernel> KernelKind(int code, Class<T> type, DoubleFunction<T> made) {
    this(code, type, 0, (gamma, ignored) -> made.apply(gamma), kernel -> 0);
  }

  <T extends Kernel> KernelKind(
      int code, Class<T> type, double usual, Maker<T> made, ToDoubleFunction<T> shape) {
    this.code = code;
    this.type = type;
    this.usual = usual;
    this.made = made;
    this.shape = kernel -> shape.applyAsDouble(type.cast(kernel));
  }

  /**
   * {@return the kind of a kernel}
   *
   * @param kernel any kernel
   */
  public static KernelKind of(Kernel kernel) {
    for (KernelKind kind : values()) {
      if (kind.type.isInstance(kernel)) {
        return kind;
      }
    }
    throw new IllegalStateException(kernel + " has no row in KernelKind: add one");
  }

  /**
   * {@return the kind with a code; null if there is none}
   *
   * @param code in a file
   */
  public static @Nullable KernelKind ofCode(int code) {
    for (KernelKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }

  /** {@return the code in files} */
  public int code() {
    return code;
  }

  /**
   * {@return the kernel with the default of its shape}
   *
   * @param gamma inverse width γ &gt; 0
   */
  public Kernel kernel(double gamma) {
    return kernel(gamma, usual);
  }

  /**
   * {@return the kernel with a width and a shape}
   *
   * @param gamma inverse width γ &gt; 0
   * @param value of the shape; ignored if there is none
   * @throws IllegalArgumentException if one is not in its range
   */
  public Kernel kernel(double gamma, double value) {
    return made.make(gamma, value);
  }

  /**
   * {@return the shape of a kernel of this kind; 0 if there is none}
   *
   * @param kernel a kernel of this kind
   */
  public double shapeOf(Kernel kernel) {
    return shape.applyAsDouble(kernel);
  }
}
