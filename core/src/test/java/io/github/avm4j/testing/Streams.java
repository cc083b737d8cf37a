// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testing;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Random rows that tests learn from: the same for the same seed, drawn one after the other. */
public final class Streams {
  private Streams() {}

  /** Rows that are each made by {@code draw}, of one generator. */
  public static <T> List<T> of(long seed, int rows, Function<Random, T> draw) {
    Random random = new Random(seed);
    return Stream.generate(() -> draw.apply(random)).limit(rows).toList();
  }

  /** Rows of independent normal features. */
  public static List<double[]> gaussian(long seed, int rows, int features) {
    return of(
        seed,
        rows,
        random -> DoubleStream.generate(random::nextGaussian).limit(features).toArray());
  }

  /** Rows of independent features between 0 and 1. */
  public static List<double[]> uniform(long seed, int rows, int features) {
    return uniform(seed, rows, features, 0, 1);
  }

  /** Rows of independent features between two bounds. */
  public static List<double[]> uniform(long seed, int rows, int features, double low, double high) {
    return of(seed, rows, random -> random.doubles(features, low, high).toArray());
  }
}
