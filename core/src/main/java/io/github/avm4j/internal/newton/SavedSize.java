// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.feature.FeatureVector;

/**
 * Limits on the bytes of a learner's file. What has been learned can always be saved: an engine
 * whose file could not hold one more instance refuses the instance and stays as it is.
 *
 * <p>Engines compute an upper bound in O(1), from counts alone.
 */
public final class SavedSize {
  /** Most bytes of a file: what one array holds. */
  public static final int MOST_FILE = Integer.MAX_VALUE - 16;

  /** Most bytes of a learner; the rest of a file is for the schema of its rows. */
  public static final long MOST = MOST_FILE - (1L << 26);

  /** Configuration, provenance, counters, heads of sections. */
  private static final long FIXED = 1 << 14;

  /** A label, twice, and what a class has beside its coefficients. */
  private static final long CLASS = 32;

  private SavedSize() {}

  /**
   * Refuses an instance whose learner could not be saved.
   *
   * @param remedy settings to lower
   */
  public static void require(long bytes, long most, String remedy) {
    if (bytes > most) {
      throw new IllegalArgumentException(
          ("the learner is as large as a file can hold: with this instance it could take %d bytes,"
                  + " at most are %d; it has not changed and can be saved; to learn on, build one"
                  + " with a smaller %s")
              .formatted(bytes, most, remedy));
    }
  }

  /** Bytes of core points and labels once x and a new class are among them, at most. */
  public static long points(ExpansionEngine engine, FeatureVector x) {
    var set = engine.started ? engine.set : engine.firstSet(x);
    return FIXED + CLASS * (engine.classes() + 1) + set.savedBytesWith(x);
  }
}
