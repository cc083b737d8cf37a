// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

import java.util.function.DoubleFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The losses there are, one row each. The file format, the command and the tests read these rows; a
 * loss is added by a row at the end and its name in {@link Loss}.
 *
 * <p>A row begins with its code in files, which is never used again.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum LossKind {
  /** {@link Hinge}. */
  HINGE(0, "hinge", Hinge.class, Hinge::new),
  /** {@link SmoothHinge}. */
  SMOOTH_HINGE(
      1, "smooth-hinge", SmoothHinge.class, "tau", 0.5, SmoothHinge::new, SmoothHinge::tau),
  /** {@link Logistic}. */
  LOGISTIC(2, "logistic", Logistic.class, Logistic::new),
  /** {@link AbsoluteLoss}. */
  L1(3, "l1", AbsoluteLoss.class, AbsoluteLoss::new),
  /** {@link SquaredLoss}. */
  L2(4, "l2", SquaredLoss.class, SquaredLoss::new),
  /** {@link EpsilonInsensitive}. */
  EPSILON_INSENSITIVE(
      5,
      "epsilon-insensitive",
      EpsilonInsensitive.class,
      "epsilon",
      0.1,
      EpsilonInsensitive::new,
      EpsilonInsensitive::epsilon),
  /** {@link Huber}; by default for noise of standard deviation 1. */
  HUBER(6, "huber", Huber.class, "threshold", 1.345, Huber::new, Huber::threshold);

  private final int code;
  private final String title;
  private final Class<? extends Loss> type;
  private final String parameter;
  private final double defaultValue;
  private final DoubleFunction<Loss> made;
  private final ToDoubleFunction<Loss> value;

  <T extends Loss> LossKind(int code, String title, Class<T> type, Supplier<T> made) {
    this(code, title, type, "", 0, ignored -> made.get(), loss -> 0);
  }

  <T extends Loss> LossKind(
      int code,
      String title,
      Class<T> type,
      String parameter,
      double defaultValue,
      DoubleFunction<T> made,
      ToDoubleFunction<T> value) {
    this.code = code;
    this.title = title;
    this.type = type;
    this.parameter = parameter;
    this.defaultValue = defaultValue;
    this.made = made::apply;
    this.value = loss -> value.applyAsDouble(type.cast(loss));
  }

  /**
   * {@return the kind of a loss}
   *
   * @param loss any loss
   */
  public static LossKind of(Loss loss) {
    for (LossKind kind : values()) {
      if (kind.type.isInstance(loss)) {
        return kind;
      }
    }
    throw new IllegalStateException(loss + " has no row in LossKind: add one");
  }

  /**
   * {@return the kind with a code; null if there is none}
   *
   * @param code in a file
   */
  public static @Nullable LossKind ofCode(int code) {
    for (LossKind kind : values()) {
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

  /** {@return the name that people write, such as {@code smooth-hinge}} */
  public String title() {
    return title;
  }

  /** {@return the name of the parameter; empty if there is none} */
  public String parameter() {
    return parameter;
  }

  /** {@return whether it has a parameter; for regression that is in the unit of the target} */
  public boolean hasParameter() {
    return !parameter.isEmpty();
  }

  /** {@return the default of the parameter; 0 if there is none} */
  public double defaultValue() {
    return defaultValue;
  }

  /** {@return the loss with the default of its parameter} */
  public Loss loss() {
    return loss(defaultValue);
  }

  /**
   * {@return the loss with a parameter}
   *
   * @param value of the parameter; ignored if there is none
   * @throws IllegalArgumentException if the value is not in its range
   */
  public Loss loss(double value) {
    return made.apply(value);
  }

  /**
   * {@return the parameter of a loss of this kind; 0 if there is none}
   *
   * @param loss a loss of this kind
   */
  public double parameterOf(Loss loss) {
    return value.applyAsDouble(loss);
  }
}
