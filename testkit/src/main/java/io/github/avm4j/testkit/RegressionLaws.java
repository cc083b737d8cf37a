// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * What a self-configuring regressor promises whatever its targets are: their unit and origin do not
 * matter, one wrong reading is survived, a change of scale is followed, and what has no noise is
 * learned ever more exactly.
 */
public final class RegressionLaws {
  private static final double[] FEW_UNITS = {1e-12, 7, 1e12};
  private static final double[] MANY_UNITS = {1e-12, 1e-3, 0.3, 7, 1e5, 1e12};
  private static final double[] MANY_OUTLIERS = {
    10, -10, 1e3, -1e3, 1e6, 1e15, 1e50, 1e100, -1e100
  };
  private static final double[] MANY_SCALES = {1e-3, 1e-2, 0.1, 0.5, 2, 10, 100, 1e3};
  private static final int EQUIVARIANT_STEPS = 2500;
  private static final int NOISELESS_STEPS = 30_000;
  private static final int BLOCK = 5000;

  /** Deviation of the targets of the stream below, about. */
  private static final double DEVIATION = 0.85;

  private static final double NOISE = 0.1;

  private RegressionLaws() {}

  /**
   * One test per law that the self-configuring learner keeps.
   *
   * @param fresh makes a learner that has seen nothing
   * @param thorough with many more units, outliers and changes: minutes instead of seconds
   * @return the tests
   */
  public static Stream<DynamicTest> all(Supplier<? extends Learner> fresh, boolean thorough) {
    Map<String, Executable> laws = new LinkedHashMap<>();
    for (double unit : thorough ? MANY_UNITS : FEW_UNITS) {
      for (double shift : new double[] {0, 1, -1000, 1000}) {
        if (thorough || shift == 0 || shift == 1000) {
          laws.put(
              "equivariant: %g y + %g deviations".formatted(unit, shift),
              () -> equivariant(ignored -> fresh.get(), unit, shift));
        }
      }
    }
    for (int at : thorough ? new int[] {0, 7, 40, 300, 1500, 10_000} : new int[] {7, 1500}) {
      for (double size : thorough ? MANY_OUTLIERS : new double[] {10, 1e100}) {
        laws.put(
            "recovers from y = %g at row %d".formatted(size, at),
            () -> recovers(fresh, new Event(at, size, 0, 1)));
        if (thorough || size > 10) {
          laws.put(
              "recovers from x = %g at row %d".formatted(size, at),
              () -> recovers(fresh, new Event(at, 0, size, 1)));
        }
      }
    }
    for (double scale : thorough ? MANY_SCALES : new double[] {1e-3, 0.1, 1e3}) {
      laws.put(
          "follows targets times %g".formatted(scale),
          () -> recovers(fresh, new Event(thorough ? 10_000 : 3000, 0, 0, scale)));
    }
    for (Noiseless function : thorough ? Noiseless.ALL : Noiseless.ALL.subList(0, 3)) {
      laws.put("learns without noise: " + function.name, () -> function.check(fresh.get()));
    }
    return laws.entrySet().stream()
        .map(law -> DynamicTest.dynamicTest(law.getKey(), law.getValue()));
  }

  /**
   * Whether predictions scale with the targets, to 1e-6 of their deviation.
   *
   * @param ofUnit makes a learner for targets of that unit
   * @param unit factor of the targets
   * @param shift what is added to the targets
   */
  public static void equivariant(DoubleFunction<Learner> ofUnit, double unit, double shift) {
    double[] plain = predictions(ofUnit.apply(1), 1, 0);
    double[] scaled = predictions(ofUnit.apply(unit), unit, shift * DEVIATION * unit);
    // Before the first target nobody knows the origin.
    for (int t = 1; t < plain.length; t++) {
      double back = scaled[t] / unit - shift * DEVIATION;
      assertTrue(
          Math.abs(back - plain[t]) <= 1e-6 * DEVIATION,
          "row " + t + ": predicts " + back + " instead of " + plain[t]);
    }
  }

  private static double[] predictions(Learner learner, double unit, double shift) {
    double[] predictions = new double[EQUIVARIANT_STEPS];
    Random random = new Random(5);
    for (int t = 0; t < predictions.length; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      double y = unit * (smooth(x) + NOISE * random.nextGaussian()) + shift;
      predictions[t] = learner.predictThenLearn(FeatureVector.dense(x), y, 1);
    }
    return predictions;
  }

  private static double smooth(double[] x) {
    return Math.sin(2 * x[0]) + x[1] / 2;
  }

  /**
   * What happens in a stream.
   *
   * @param at which row
   * @param y its target instead, 0 for none
   * @param x its first feature instead, 0 for none
   * @param scale of all targets from there on
   */
  private record Event(int at, double y, double x, double scale) {}

  /** RMSE over rows 2,001 to 4,000 after an event, at most 1.2 times that without it. */
  private static void recovers(Supplier<? extends Learner> fresh, Event event) {
    Event none = new Event(event.at, 0, 0, 1);
    double usual = event.scale * after(fresh.get(), none);
    double met = after(fresh.get(), event);
    assertTrue(met <= 1.2 * usual, "RMSE " + met + " instead of " + usual);
  }

  private static double after(Learner learner, Event event) {
    Random random = new Random(1);
    double squares = 0;
    for (int t = 0; t <= event.at + 4000; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      double y = smooth(x) + NOISE * random.nextGaussian();
      y *= t >= event.at ? event.scale : 1;
      if (t == event.at) {
        y = event.y == 0 ? y : event.y;
        x[0] = event.x == 0 ? x[0] : event.x;
      }
      double miss = learner.predictThenLearn(FeatureVector.dense(x), y, 1) - y;
      squares += t > event.at + 2000 ? miss * miss : 0;
    }
    return Math.sqrt(squares / 2000);
  }

  /**
   * A function without noise.
   *
   * @param most error over the last 5,000 of 30,000 rows, in deviations
   */
  private record Noiseless(
      String name, int features, double most, ToDoubleFunction<double[]> function) {
    static final List<Noiseless> ALL =
        List.of(
            new Noiseless("linear", 3, 0.002, x -> 3 * x[0] - 2 * x[1] + x[2] / 2 + 7),
            new Noiseless("square", 1, 0.001, x -> x[0] * x[0]),
            new Noiseless("sinc cosine", 2, 0.001, x -> sinc(9 * x[0]) * Math.cos(3 * x[1])),
            new Noiseless("Friedman", 10, 0.03, Noiseless::friedman));

    private static double sinc(double t) {
      return t == 0 ? 1 : Math.sin(t) / t;
    }

    /** Friedman's first function of five of ten features, here in [−1, 1]. */
    private static double friedman(double[] x) {
      double a = (x[0] + 1) / 2;
      double b = (x[1] + 1) / 2;
      return 10 * Math.sin(Math.PI * a * b) + 5 * x[2] * x[2] + 5 * x[3] + 2.5 * x[4];
    }

    void check(Learner learner) {
      Random random = new Random(1);
      double[] errors = new double[NOISELESS_STEPS / BLOCK];
      double sum = 0;
      double squares = 0;
      for (int t = 0; t < NOISELESS_STEPS; t++) {
        double[] x = new double[features];
        for (int j = 0; j < features; j++) {
          x[j] = 2 * random.nextDouble() - 1;
        }
        double y = function.applyAsDouble(x);
        double miss = learner.predictThenLearn(FeatureVector.dense(x), y, 1) - y;
        errors[t / BLOCK] += miss * miss / BLOCK;
        sum += y / NOISELESS_STEPS;
        squares += y * y / NOISELESS_STEPS;
      }
      double deviation = Math.sqrt(squares - sum * sum);
      double last = Math.sqrt(errors[errors.length - 1]) / deviation;
      double second = Math.sqrt(errors[1]) / deviation;
      assertTrue(last <= most, name + ": " + last + " of the deviation, at most " + most);
      assertTrue(last < second, name + ": no longer falling, " + second + " to " + last);
    }
  }
}
