// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Histogram of a version's scores in ten bins. The bins' edges are the deciles of the model's
 * scores for its own core points, cells' included, the only examples of training that a model
 * carries: were requests spread as the core points are, every bin would get a tenth.
 *
 * <p>Core points are chosen to cover the input, not to follow its density, so a constant shift
 * means nothing; a change of it does.
 */
public final class ScoreBins {
  /** Number of bins. */
  public static final int BINS = 10;

  private static final int MOST_POINTS = 2000;
  private static final double SMALLEST_SHARE = 1e-4;

  private final double[] edges;
  private final LongAdder[] counts = new LongAdder[BINS];

  private ScoreBins(double[] edges) {
    this.edges = edges;
    Arrays.setAll(counts, b -> new LongAdder());
  }

  /** Bins for the scores of {@code model}. O(S·S·d), with at most 2,000 core points asked. */
  static ScoreBins of(Model model) {
    List<FeatureVector> asked = CorePoints.spread(model, MOST_POINTS);
    int points = asked.size();
    double[] scores = new double[points];
    double[] columns = new double[Math.max(1, model.classes())];
    for (int p = 0; p < points; p++) {
      FeatureVector x = asked.get(p);
      model.scores(x, columns);
      boolean two = model.task() != Task.REGRESSION && model.classes() == 2;
      scores[p] = two ? columns[1] - columns[0] : columns[Decision.argmax(columns, columns.length)];
    }
    Arrays.sort(scores);
    double[] edges = new double[BINS - 1];
    for (int b = 0; b < edges.length; b++) {
      edges[b] = points == 0 ? 0 : scores[(int) ((long) (b + 1) * points / BINS)];
    }
    return new ScoreBins(edges);
  }

  /** The bin of a score: the number of edges at or below it. */
  public int bin(double score) {
    int b = 0;
    while (b < edges.length && score >= edges[b]) {
      b++;
    }
    return b;
  }

  void count(double score) {
    counts[bin(score)].increment();
  }

  /** Scores counted in bin {@code b} since the version was loaded. */
  public long counted(int b) {
    return counts[b].sum();
  }

  /** Largest score of bin b; infinity for the last. */
  public double upperEdge(int b) {
    return b < edges.length ? edges[b] : Double.POSITIVE_INFINITY;
  }

  /**
   * The population stability index of the counts against a tenth each: Σ (p_b − 0.1)·ln(p_b/0.1).
   * NaN while fewer than 100 scores were counted.
   */
  public double shift() {
    long[] now = new long[BINS];
    Arrays.setAll(now, this::counted);
    long total = Arrays.stream(now).sum();
    if (total < 100) {
      return Double.NaN;
    }
    double expected = 1.0 / BINS;
    double sum = 0;
    for (long count : now) {
      double share = Math.max(SMALLEST_SHARE, (double) count / total);
      sum += (share - expected) * Math.log(share / expected);
    }
    return sum;
  }
}
