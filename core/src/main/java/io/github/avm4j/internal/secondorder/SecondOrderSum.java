// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.secondorder;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.linear.Cholesky;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The sum of what second-order learners know ({@link Information}), on the core points of the one
 * that has seen most; points of the others join while there is room. What is known about points
 * that find none is known of their projections.
 *
 * <p>O(S³) a shard.
 */
public final class SecondOrderSum {
  private final SecondOrderConfig config;
  private final List<Double> labels;
  private final int columns;
  private final SecondOrder solver;
  private final List<FeatureVector> points = new ArrayList<>();
  private final CoreSet set;
  private final Information known;
  private final Tally tally = new Tally();

  /**
   * One learner's part.
   *
   * @param learner what was learned
   * @param points its core points in the space of the sum
   * @param shift what is to be added to its targets
   * @param factor how often it counts: 1, or negative for what others began with
   */
  public record Part(
      SecondOrderEngine learner, List<FeatureVector> points, double shift, long factor) {}

  private SecondOrderSum(SecondOrderConfig config, List<Part> parts) {
    this.config = config;
    this.labels = unite(config, parts);
    this.columns = Columns.count(labels.size());
    long least = Footprint.least(columns);
    if (config.memory() > 0 && least > config.memory()) {
      throw Footprint.refusal(labels.size(), config.memory(), least);
    }
    this.solver = new SecondOrder(config.lambda(), columns);
    this.set = span(parts);
    int n = set.size();
    this.known = new Information(points, new double[n][n], new double[columns][n]);
    for (Part part : parts) {
      tally.add(part);
      add(part);
    }
    solve();
  }

  /**
   * The sum, in the given order, of learners of one configuration.
   *
   * @throws IllegalArgumentException if their numbers of features differ
   */
  public static SecondOrderEngine of(List<SecondOrderEngine> shards) {
    requireOneShape(shards);
    return of(shards.get(0).config(), shards.stream().map(SecondOrderSum::part).toList());
  }

  /**
   * Checks that all shards of dense vectors have one number of features, and those of sparse
   * vectors name no other.
   */
  public static void requireOneShape(List<SecondOrderEngine> shards) {
    int[] dense =
        shards.stream()
            .filter(shard -> shard.started && !shard.set.isOpenEnded())
            .mapToInt(shard -> shard.set.dimension())
            .distinct()
            .toArray();
    if (dense.length > 1) {
      throw new IllegalArgumentException(
          "shards must have one number of features, were " + Arrays.toString(dense));
    }
    int sparse =
        shards.stream()
            .filter(shard -> shard.set.isOpenEnded())
            .mapToInt(shard -> shard.set.dimension())
            .max()
            .orElse(0);
    if (dense.length == 1 && sparse > dense[0]) {
      throw new IllegalArgumentException(
          ("shards must have one number of features: one has seen dense vectors of %d, another a"
                  + " sparse one with feature %d")
              .formatted(dense[0], sparse - 1));
    }
  }

  private static Part part(SecondOrderEngine learner) {
    return new Part(learner, points(learner), 0, 1);
  }

  public static SecondOrderEngine of(SecondOrderConfig config, List<Part> parts) {
    return new SecondOrderSum(config, parts).learner(parts);
  }

  public static List<FeatureVector> points(SecondOrderEngine learner) {
    List<FeatureVector> points = new ArrayList<>();
    for (int i = 0; i < learner.size(); i++) {
      points.add(learner.set.point(i));
    }
    return points;
  }

  /** The declared labels in their order, then the others ascending. */
  private static List<Double> unite(SecondOrderConfig config, List<Part> parts) {
    List<Double> united = new ArrayList<>(config.labels());
    parts.stream()
        .flatMap(part -> Arrays.stream(part.learner.labels.toArray()).boxed())
        .distinct()
        .sorted()
        .filter(label -> !config.labels().contains(label))
        .forEach(united::add);
    return united;
  }

  /** Number of classes of the sum. */
  public static int classes(SecondOrderConfig config, List<Part> parts) {
    return unite(config, parts).size();
  }

  /** Points that those before do not span, as many as the budget has room for. */
  private CoreSet span(List<Part> parts) {
    int largest = parts.stream().mapToInt(part -> part.learner.size()).max().orElse(0);
    int most = config.memory() == 0 ? config.budget() : Math.min(config.budget(), largest);
    List<Part> order = new ArrayList<>(parts);
    order.sort(Comparator.comparingLong(part -> -part.learner.instances));
    CoreSet found = order.get(0).learner.set.copy();
    if (largest > 0) {
      boolean sparse = found.isOpenEnded();
      found = sparse ? CoreSet.sparse(config.features()) : CoreSet.dense(found.dimension());
    }
    CoreDistances distances = new CoreDistances();
    for (Part part : order) {
      for (int i = 0; i < part.points.size() && found.size() < most; i++) {
        FeatureVector point = part.points.get(i);
        distances.fill(found, point, config.kernel());
        double residual = solver.residual(distances.kernel());
        if (residual > config.novelty()) {
          found = found.roomFor(point);
          found.append(point, true);
          solver.append(residual);
          points.add(point);
        }
      }
    }
    return found;
  }

  private void add(Part part) {
    SecondOrderEngine learner = part.learner;
    if (learner.size() > 0) {
      SecondOrder theirs = new SecondOrder(learner.solver);
      double[][] own = Information.square(theirs.size(), theirs::inverseGram);
      Information information =
          Information.of(part.points, theirs, weights(learner), learner.config().lambda());
      if (part.shift != 0) {
        information.shift(part.shift, own);
      }
      known.add(part.factor, information.on(set, points, own, config.kernel()));
    }
  }

  /** Coefficients by the sum's columns: margins f of two classes are −f/2 and f/2 among more. */
  private double[][] weights(SecondOrderEngine learner) {
    double[][] mapped = new double[columns][learner.size()];
    int theirs = learner.columns();
    for (int c = 0; c < learner.labels.size() && theirs > 1; c++) {
      mapped[index(learner, c)] = Arrays.copyOf(learner.solver.weights(c), learner.size());
    }
    if (theirs > 1) {
      return mapped;
    }
    double[] f = Arrays.copyOf(learner.solver.weights(0), learner.size());
    if (columns == 1) {
      boolean flipped = learner.labels.size() > 0 && index(learner, 0) != 0;
      mapped[0] = flipped ? scaled(f, -1) : f;
      return mapped;
    }
    int first = index(learner, 0);
    boolean both = learner.labels.size() > 1;
    for (int c = 0; c < columns; c++) {
      boolean second = both && c == index(learner, 1);
      double share = c == first ? -0.5 : second ? 0.5 : both ? 0 : 0.5 / (columns - 1);
      mapped[c] = scaled(f, share);
    }
    return mapped;
  }

  private int index(SecondOrderEngine learner, int c) {
    return labels.indexOf(learner.labels.label(c));
  }

  private static double[] scaled(double[] x, double factor) {
    double[] y = x.clone();
    for (int i = 0; i < y.length; i++) {
      y[i] *= factor;
    }
    return y;
  }

  /** P = (λK + D)⁻¹ and w = P·b. */
  private void solve() {
    int n = set.size();
    double[][] precision = new double[n][];
    CoreDistances distances = new CoreDistances();
    for (int i = 0; i < n; i++) {
      distances.fill(set, points.get(i), config.kernel());
      precision[i] = known.matrix()[i].clone();
      for (int j = 0; j < n; j++) {
        precision[i][j] += config.lambda() * distances.kernel()[j];
      }
    }
    Cholesky cholesky = new Cholesky(precision);
    double[][] covariance = cholesky.inverse();
    for (int i = 0; i < n; i++) {
      System.arraycopy(covariance[i], 0, solver.covariance(i), 0, i + 1);
    }
    solver.restored();
    for (int c = 0; c < columns; c++) {
      System.arraycopy(cholesky.solve(known.sums()[c]), 0, solver.weights(c), 0, n);
    }
  }

  private SecondOrderEngine learner(List<Part> parts) {
    SecondOrderEngine merged = new SecondOrderEngine(config, new Labels());
    merged.addClasses(labels);
    merged.started = parts.stream().anyMatch(part -> part.learner.started);
    merged.set = set;
    merged.solver = solver;
    tally.give(merged);
    merged.shrink();
    return merged;
  }

  /** Counts, which add whatever was learned, and the scales of the longest part. */
  private static final class Tally {
    private double instances;
    private long longest;
    private double residuals;
    private double targets;
    private long learned;
    private double weightLearned;
    private long replaced;
    private final CertificateState certificate = new CertificateState();

    void add(Part part) {
      SecondOrderEngine other = part.learner;
      instances += (double) part.factor * other.instances;
      if (other.instances > longest) {
        longest = other.instances;
        residuals = other.residuals.level;
        targets = other.targets.level;
      }
      learned += part.factor * other.learned;
      weightLearned += part.factor * other.exchange.weightLearned;
      replaced += part.factor * other.exchange.replaced;
      certificate.absorbed += part.factor * other.certificate.absorbed;
      certificate.farthest = Math.max(certificate.farthest, other.certificate.farthest);
      certificate.residual = Math.max(certificate.residual, other.certificate.residual);
    }

    void give(SecondOrderEngine merged) {
      merged.instances = (long) instances;
      merged.learned = learned;
      merged.residuals.level = residuals;
      merged.targets.level = targets;
      merged.certificate = certificate;
      for (int i = 0; i < merged.size(); i++) {
        merged.exchange.appended(i);
        merged.exchange.since[i] = 0;
      }
      merged.exchange.weightLearned = Math.max(0, weightLearned);
      merged.exchange.replaced = replaced;
    }
  }
}
