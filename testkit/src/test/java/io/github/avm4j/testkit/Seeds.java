// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The random cases of a law: the same in every run, others with {@code -Davm4j.seed=…}. A failing
 * case is named by what was drawn.
 */
final class Seeds {
  private static final long FIRST = Long.getLong("avm4j.seed", 0);

  private Seeds() {}

  /** So many seeds, those at the ends of their range among them. */
  static Stream<Long> of(int count) {
    LongStream ends = LongStream.of(0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE);
    return LongStream.concat(ends, new Random(FIRST).longs()).limit(count).boxed();
  }

  /** So many cases, each drawn by a source of its own. */
  static <T> Stream<T> draw(int count, Function<Random, T> draw) {
    return new Random(FIRST).longs(count).mapToObj(Random::new).map(draw);
  }

  /** One of the options. */
  @SafeVarargs
  static <T> T any(Random random, T... options) {
    return options[random.nextInt(options.length)];
  }

  /** One of the list. */
  static <T> T any(Random random, List<T> options) {
    return options.get(random.nextInt(options.size()));
  }

  /** A whole number of the range, both ends included. */
  static int between(Random random, int from, int to) {
    return from + random.nextInt(to - from + 1);
  }
}
