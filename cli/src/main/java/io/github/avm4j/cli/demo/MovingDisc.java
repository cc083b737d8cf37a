// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.demo;

import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A generated stream with one concept drift.
 *
 * <p>Points are uniform in the square [−1, 1]². The label is 1 inside a disc and 0 outside. The
 * disc moves after {@link #CHANGE} rows. A share {@link #NOISE} of the labels is flipped. The same
 * seed gives the same stream.
 */
public final class MovingDisc implements Instances {
  /** Number of rows. */
  public static final int ROWS = 20_000;

  /** Number of rows before the disc moves. */
  public static final int CHANGE = 10_000;

  /** Share of flipped labels, which is the lowest error that any learner can reach. */
  public static final double NOISE = 0.05;

  private static final double SQUARED_RADIUS = 0.6;
  private static final double CENTRE_AFTER = 0.5;

  private final SplittableRandom random;
  private final double[] point = new double[2];
  private final FeatureVector x = FeatureVector.dense(point);
  private double y;
  private int row;

  /** Creates the stream of a seed. */
  public MovingDisc(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public boolean next() {
    if (row == ROWS) {
      return false;
    }
    double centre = row < CHANGE ? 0 : CENTRE_AFTER;
    row++;
    double squaredDistance = 0;
    for (int i = 0; i < point.length; i++) {
      point[i] = 2 * random.nextDouble() - 1;
      squaredDistance += (point[i] - centre) * (point[i] - centre);
    }
    boolean inside = squaredDistance < SQUARED_RADIUS;
    boolean flipped = random.nextDouble() < NOISE;
    y = inside != flipped ? 1 : 0;
    return true;
  }

  @Override
  public FeatureVector x() {
    return x;
  }

  @Override
  public double y() {
    return y;
  }

  /** Writes the rest of the stream as CSV with a header. */
  public void writeCsv(Appendable out) throws IOException {
    out.append("x1,x2,label\n");
    while (next()) {
      String label = y == 1 ? "inside" : "outside";
      out.append(String.format(Locale.ROOT, "%.6f,%.6f,%s\n", point[0], point[1], label));
    }
  }
}
