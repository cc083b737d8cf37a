// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of heap that a second-order learner holds, and the least it can do with.
 *
 * <p>They are functions of what is learned, not of how arrays grew on the way, so that a restored
 * learner decides as the saved one would have; and they are at least what the heap holds, headers
 * included.
 */
public final class Footprint {
  /** A learner that has no room for so many core points is not worth having. */
  public static final int LEAST_POINTS = 8;

  /** Objects, and arrays that do not grow. */
  private static final int FIXED = 2048;

  /** Scratch, table of labels and declared labels of a class; its weights are the solver's. */
  private static final int CLASS = 96;

  /** Candidates for a place have at most this part of the bytes set aside. */
  private static final int RESERVE = 4;

  private Footprint() {}

  /** All but the core points themselves and the candidates for their places. */
  public static long state(int points, int columns) {
    long ages = 16L * Math.max(LEAST_POINTS, points);
    long distances = 16L * (points + points / 2 + 64);
    return solver(points, columns) + ages + distances + (long) CLASS * columns + FIXED;
  }

  /** Bytes that a solver of so many core points and columns holds at most, headers included. */
  private static long solver(int points, int columns) {
    long room = SymmetricMatrix.room(points);
    return 2 * SymmetricMatrix.bytes(points) + 24 * room + (8 * room + 24) * columns + 200;
  }

  /** What a learner that lets each instance replace the oldest core point holds besides. */
  public static long sliding(SecondOrderEngine learner, int points) {
    return learner.isSliding() ? 2 * SymmetricMatrix.replacingBytes(points) : 0;
  }

  /** The least bound under which so many classes, known in advance, leave room to learn. */
  public static long least(int columns) {
    return state(LEAST_POINTS, columns);
  }

  /**
   * The least bound under which the learner can take in x with target y and keep eight core points.
   * Where those may be of any size, they get one half and all else the other. It depends on the
   * classes and the first instance alone: learners of one stream refuse the same.
   */
  public static long least(SecondOrderEngine learner, FeatureVector x, double y) {
    long state = state(LEAST_POINTS, columnsWith(learner, y));
    CoreSet set = learner.started ? learner.set : learner.firstSet(x);
    if (set.isOpenEnded()) {
      return 2 * Math.max(state, learner.started ? 0 : set.bytesOfEight(x));
    }
    return state + set.bytesOfEight(x);
  }

  /** Whether x as a core point keeps the bound on bytes and leaves candidates their reserve. */
  public static boolean fits(SecondOrderEngine learner, FeatureVector x) {
    long memory = learner.config().memory();
    int size = learner.set.size();
    long reserve =
        size < LEAST_POINTS ? 0 : Math.min(learner.exchange.mostBytes(x), memory / RESERVE);
    long besides = Math.max(reserve, sliding(learner, size + 1));
    long needed = learner.set.bytesWith(x) + state(size + 1, learner.columns()) + besides;
    return needed <= memory && isSmall(learner, x);
  }

  /** Whether eight core points like x leave room for classes to come. */
  public static boolean isSmall(SecondOrderEngine learner, FeatureVector x) {
    CoreSet set = learner.set;
    return !set.isOpenEnded() || 2 * set.bytesOfEight(x) <= learner.config().memory();
  }

  /** Bytes of the engine's file with x as one more core point, at most. */
  static long saved(SecondOrderEngine learner, FeatureVector x) {
    long size = Math.min(learner.size() + 1, learner.config().budget());
    long columns = Columns.count(learner.classes() + 1);
    long matrices = 8 * size * (size + 1);
    long candidates = Candidates.MOST * (64 + 8 * (columns + size));
    @Nullable Candidates waiting = learner.exchange.candidates();
    if (waiting != null) {
      candidates += 2 * waiting.savedBytesWith(x);
    }
    return SavedSize.points(learner, x) + matrices + 8 * size * (columns + 2) + candidates;
  }

  private static int columnsWith(SecondOrderEngine learner, double y) {
    return learner.task() == Task.REGRESSION ? 1 : Columns.count(classesWith(learner, y));
  }

  private static int classesWith(SecondOrderEngine learner, double y) {
    return learner.labels.size() + (learner.labels.indexOf(y) == Labels.UNKNOWN ? 1 : 0);
  }

  /** What to tell a user whose bound has no room for x and y. */
  public static IllegalArgumentException refusal(
      SecondOrderEngine learner, FeatureVector x, double y, long memory, long least) {
    String features = x.dimension() + " features";
    return learner.task() == Task.REGRESSION
        ? refusal(features, memory, least)
        : refusal(features + " and " + classesWith(learner, y) + " classes", memory, least);
  }

  /** The same for classes alone. */
  public static IllegalArgumentException refusal(int classes, long memory, long least) {
    return refusal(classes + " classes", memory, least);
  }

  private static IllegalArgumentException refusal(String what, long memory, long least) {
    return new IllegalArgumentException(
        "memory of %d bytes has no room for %s: it must be at least %d bytes for so many"
            .formatted(memory, what, least));
  }
}
