// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.newton.Candidates;
import io.github.avm4j.internal.newton.Engine;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Partition;

/**
 * The length of a learner's file, from the sizes of what it holds: O(1) memory where writing the
 * file would take several times its length.
 *
 * <p>It counts everything that grows: core points, coefficients, matrices, candidates, instances
 * stored while estimating, learners beside the leader. What does not grow is one constant for each
 * file, so that the result is within 1 kB or 2 % of the true length.
 */
public final class FileSize {
  /** Container, configuration, provenance and counters. */
  public static final int FIXED = 300;

  /** Shift, scale and whether it is a logarithm. */
  public static final int SCALED_FEATURE = 17;

  /** What a stored instance takes in the heap beyond its bytes in a file. */
  public static final long NOT_IN_FILE = 107;

  /** Whether it is taken, kind and count of a candidate. */
  private static final int CANDIDATE = 6;

  /** Thresholds of three levels, and residuals. */
  public static final int CALIBRATION = 200;

  /** Feature, threshold and two children of a node of a tree. */
  private static final int NODE = 20;

  private FileSize() {}

  /** About the bytes of an engine's file. */
  public static long of(Engine engine) {
    return engine instanceof SecondOrderEngine newton
        ? FIXED + model(newton) + state(newton)
        : of((FirstOrderEngine) engine);
  }

  private static long of(FirstOrderEngine learner) {
    int size = learner.size();
    int windows = learner.solver.average().windowCount();
    return FIXED
        + model(learner)
        + 8L * size * learner.columns()
        + windows * (24 + 8L * size * learner.columns());
  }

  /** Bytes of a division of the space. */
  public static long of(Partition partition) {
    return partition instanceof Centres centres
        ? points(centres.points()) + of(centres.scaling())
        : (long) NODE * partition.size();
  }

  /** Bytes of a scaling. */
  public static long of(Scaling scaling) {
    return (long) SCALED_FEATURE * scaling.dimension();
  }

  /** About the bytes of a model without cells. */
  public static long of(Model fit) {
    long coefficients = 8L * fit.size() * fit.columns();
    return FIXED + of(fit.scaling()) + points(fit.coreSet()) + coefficients;
  }

  /** About the bytes of the model of an engine behind a scaling. */
  public static long ofModel(ExpansionEngine learner, Scaling scaling) {
    return FIXED + model(learner) + of(scaling);
  }

  /** Labels, core points and coefficients. */
  private static long model(ExpansionEngine learner) {
    return 8L * learner.classes() + points(learner.set()) + 8L * learner.size() * learner.columns();
  }

  /** A mark for each point, its number of values where that varies, and the values. */
  private static long points(CoreSet set) {
    return set.storesPostings()
        ? 5L * set.size() + 12 * set.values()
        : set.size() + 8 * set.values();
  }

  private static long state(SecondOrderEngine learner) {
    long size = learner.size();
    long bytes = 8 * size + 8 * size * (size + 1) + 8 * size;
    Candidates candidates = learner.exchange.candidates();
    if (candidates == null) {
      return bytes;
    }
    for (int c = 0; c < candidates.places(); c++) {
      bytes += CANDIDATE + vector(candidates.point(c));
      bytes += candidates.isTaken(c) ? 32 + 8L * candidates.gradients(c).length + 8 * size : 0;
    }
    return bytes;
  }

  private static long vector(FeatureVector x) {
    return (x.isSparse() ? 12L : 8L) * x.count();
  }
}
