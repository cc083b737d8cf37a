// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.kernel.Gaussian;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The learner that finds its settings while it learns. On a page:
 *
 * <ol>
 *   <li><b>Beginning</b>, 1,000 rows: four kernels, at fixed multiples of the median distance
 *       between rows, are taught all rows so far at 5, 25, 100 and 300; the best predicts. At the
 *       end features are weighed by their relevance ({@link Beginning}).
 *   <li><b>Whole</b>: the best expert goes on; up to three others challenge it, and copies that
 *       forget ({@link Whole}).
 *   <li><b>Cells</b>: the space is divided at 3,000 rows, and again into four times as many cells
 *       whenever the stream is four times as long. Each cell has an expert with a scaling of its
 *       own, which predicts where it is better ({@link Divisions}, {@link Cell}).
 *   <li><b>Renewal</b>: when losses rise, all of this begins afresh beside ({@link Renewal}).
 * </ol>
 *
 * <p>Every change of what predicts is a {@link Challenge} by one of the rows of {@link Rule}; the
 * only search is over what is listed there. Challengers together may cost at most as much as what
 * predicts: no trial of forgetting begins while they have cost more.
 *
 * <p>Why no search for settings: the kernel is nearly settled by the distances between rows,
 * whether to forget outweighs it, and cells make up for the rest. A search for γ, races between
 * kernels in every cell and contests of exponents took five to fourteen times the work of learning,
 * and brought no lower error.
 *
 * <p>Labels become indices of classes here, once. For one thread.
 */
public final class StandardEngine {
  private final Task task;
  private final Labels labels = new Labels();
  private final List<Double> classes = new ArrayList<>();
  private final SecondOrderConfig settings;
  private final Renewal renewal = new Renewal();
  private Space space;
  private long instances;

  /**
   * An engine that has learned nothing.
   *
   * @param task classification or regression
   * @param budget most core points of the whole space
   */
  public StandardEngine(Task task, int budget) {
    this.task = task;
    // Kernels are chosen later.
    this.settings = SecondOrderConfig.builder(task).kernel(new Gaussian(1)).budget(budget).build();
    this.space = new Space(settings, classes);
  }

  /**
   * Predicts for x and then learns from it.
   *
   * @param weight of the instance; 0 predicts only
   * @param scores receives the scores of the classes met before; empty to do without
   * @return the label or number predicted; NaN before any label was met
   */
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    if (weight == 0) {
      if (scores.length > 0) {
        scores(x, scores);
      }
      return predict(x);
    }
    int met = labels.size();
    double target = task == Task.REGRESSION ? y : classOf(y);
    boolean known = labels.size() == met;
    boolean scored = scores.length > 0;
    double prediction = space.learn(x, target, weight, known, scored);
    if (scored) {
      spread(space.answering(), prediction, scores, met);
    }
    instances++;
    space = renewal.learned(space, x, target, weight, known, settings, classes);
    return task == Task.REGRESSION
        ? prediction
        : met == 0 ? Double.NaN : labels.label((int) prediction);
  }

  private int classOf(double label) {
    int index = labels.indexOf(label);
    if (index == Labels.UNKNOWN) {
      index = labels.add(label);
      classes.add((double) index);
    }
    return index;
  }

  private void spread(@Nullable Expert expert, double guess, double[] scores, int met) {
    if (expert != null) {
      expert.spread(scores, task == Task.REGRESSION ? 1 : met);
      return;
    }
    Arrays.fill(scores, 0, Math.max(1, met), 0);
    if (task == Task.REGRESSION) {
      scores[0] = guess;
    } else {
      scores[(int) guess] = met == 0 ? 0 : 1;
    }
  }

  /** The label or number for x; NaN before any label was met. */
  public double predict(FeatureVector x) {
    @Nullable Expert expert = space.expertFor(x);
    double prediction = expert == null ? space.guess() : expert.predict(x);
    return task == Task.REGRESSION
        ? prediction
        : labels.size() == 0 ? Double.NaN : labels.label((int) prediction);
  }

  /** The scores of x, one for each class, or the number. */
  public void scores(FeatureVector x, double[] out) {
    @Nullable Expert expert = space.expertFor(x);
    if (expert != null) {
      expert.score(x);
    }
    spread(expert, space.guess(), out, labels.size());
  }

  public Task task() {
    return task;
  }

  /** Number of classes met. */
  public int classes() {
    return labels.size();
  }

  /** The label of a class, in the order in which they were met. */
  public double label(int index) {
    return labels.label(index);
  }

  /** Core points of all experts that predict somewhere. */
  public int size() {
    return space.corePoints();
  }

  /** Instances learned from. */
  public long instances() {
    return instances;
  }

  /** Cells whose own expert predicts. */
  public int predictingCells() {
    return space.leadingCells();
  }

  /** How often all was begun afresh. */
  public long renewals() {
    return renewal.count();
  }

  /** What was chosen, in words. */
  @Override
  public String toString() {
    return space + ", renewals " + renewal.count();
  }
}
