// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Calibration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prequential evaluation (test, then train): each instance is predicted before it is learned, so
 * that every instance tests what was learned from those before it.
 *
 * <pre>{@code
 * Prequential run = new Prequential(learner, new ClassificationScore());
 * run.listen(
 *     LearningCurve.Sampling.powersOfTwo(), point -> curve.put(point.instances(), point.error()));
 * CurvePoint end = run.run(instances);
 * boolean learns = end.error() < end.baseline();
 * }</pre>
 */
public final class Prequential {
  private static final double NANOS = 1e9;
  private static final double HOUR = 3600;
  private static final double GB = 1024.0 * 1024 * 1024;

  private final OnlineLearner learner;
  private final Score score;
  private final LongSupplier wallNanos;
  private final LongSupplier cpuNanos;
  private final List<Listener> listeners = new ArrayList<>();
  private double[] scores;
  private @Nullable CoverageScore coverage;
  private @Nullable LabelBudget labels;
  private long instances;
  private long nextPoint = Long.MAX_VALUE;

  private long wallStart;
  private long cpuStart;
  private long modelBytes;
  private long bytesAt;
  private int bytesSize = -1;
  private double ramHours;
  private double lastCpu;

  private static final class Listener {
    final LearningCurve.Sampling sampling;
    final Consumer<CurvePoint> consumer;
    long next;
    long last = -1;

    Listener(LearningCurve.Sampling sampling, Consumer<CurvePoint> consumer) {
      this.sampling = sampling;
      this.consumer = consumer;
      this.next = sampling.after(0);
    }
  }

  /**
   * An evaluation timed by the wall clock alone.
   *
   * @param learner the learner to evaluate; it learns
   * @param score receives every prediction
   */
  public Prequential(OnlineLearner learner, Score score) {
    this(learner, score, System::nanoTime, System::nanoTime);
  }

  /**
   * An evaluation with its clocks, both in nanoseconds from any start; they begin to count now.
   *
   * @param learner the learner to evaluate; it learns
   * @param score receives every prediction
   * @param wallNanos wall clock, in nanoseconds
   * @param cpuNanos processor time, in nanoseconds
   */
  public Prequential(
      OnlineLearner learner, Score score, LongSupplier wallNanos, LongSupplier cpuNanos) {
    this.learner = learner;
    this.score = score;
    this.wallNanos = wallNanos;
    this.cpuNanos = cpuNanos;
    this.scores = learner.task() == Task.REGRESSION ? OnlineLearner.NO_SCORES : new double[8];
    wallStart = wallNanos.getAsLong();
    cpuStart = cpuNanos.getAsLong();
  }

  /**
   * Calls {@code consumer} at the points of {@code sampling} and at the end.
   *
   * @param sampling after how many instances to call
   * @param consumer receives the points, in the thread of the evaluation
   */
  public void listen(LearningCurve.Sampling sampling, Consumer<CurvePoint> consumer) {
    listeners.add(new Listener(sampling, consumer));
    schedule();
  }

  private void schedule() {
    nextPoint = listeners.stream().mapToLong(l -> l.next).min().orElse(Long.MAX_VALUE);
  }

  /**
   * Begins to look at intervals or prediction sets, at every level of the learner's calibration.
   *
   * @return receives how often they hold the target
   */
  public CoverageScore watchCoverage() {
    CoverageScore watching = new CoverageScore(learner.calibration().levels());
    coverage = watching;
    return watching;
  }

  /**
   * Makes the learner learn only from instances whose label is wanted; all are predicted and scored
   * as before. Baselines see every label.
   *
   * @param budget decides which are wanted
   */
  public void learnOnly(LabelBudget budget) {
    labels = budget;
  }

  /**
   * Predicts one instance, scores the prediction and learns.
   *
   * @param x features of the instance
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @return the prediction, made before learning
   */
  public double step(FeatureVector x, double y, double weight) {
    int known = learner.classes();
    if (scores.length > 0 && known > scores.length) {
      scores = new double[2 * known];
    }
    CoverageScore watching = coverage;
    Calibration before = watching == null ? Calibration.NONE : learner.calibration();
    LabelBudget budget = labels;
    boolean learns = budget == null || weight == 0 || budget.wants(learner, x);
    double prediction = learner.predictThenLearn(x, y, learns ? weight : 0, scores);
    score.add(y, prediction, weight, learner, scores, known);
    if (watching != null && weight > 0) {
      watching.add(before, y, prediction, learner, scores, known);
    }
    if (++instances >= nextPoint) {
      take(false);
    }
    return prediction;
  }

  /**
   * {@link #step(FeatureVector, double, double)} of a dense vector.
   *
   * @param x features of the instance
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @return the prediction, made before learning
   */
  public double step(double[] x, double y, double weight) {
    return step(FeatureVector.dense(x), y, weight);
  }

  /**
   * All instances of a stream, then {@link #finish}.
   *
   * @param stream instances, read to the end
   * @return the last point
   * @throws IOException if the stream fails
   */
  public CurvePoint run(Instances stream) throws IOException {
    while (stream.next()) {
      step(stream.x(), stream.y(), stream.weight());
    }
    return finish();
  }

  /**
   * Gives the listeners the last point unless they have it.
   *
   * @return the last point
   */
  public CurvePoint finish() {
    return take(true);
  }

  /** {@return the learner} */
  public OnlineLearner learner() {
    return learner;
  }

  /** {@return the score} */
  public Score score() {
    return score;
  }

  private CurvePoint take(boolean last) {
    long wall = wallNanos.getAsLong();
    long cpu = cpuNanos.getAsLong();
    CurvePoint point = point((wall - wallStart) / NANOS, (cpu - cpuStart) / NANOS);
    for (Listener listener : listeners) {
      boolean due = instances >= listener.next;
      if (due || (last && listener.last != instances)) {
        listener.last = instances;
        listener.next = listener.sampling.after(instances);
        listener.consumer.accept(point);
      }
    }
    schedule();
    wallStart += wallNanos.getAsLong() - wall;
    cpuStart += cpuNanos.getAsLong() - cpu;
    return point;
  }

  private CurvePoint point(double wallSeconds, double cpuSeconds) {
    if (learner.size() != bytesSize || instances >= 2 * bytesAt) {
      modelBytes = learner.modelBytes();
      bytesSize = learner.size();
      bytesAt = instances;
    }
    ramHours += modelBytes / GB * (cpuSeconds - lastCpu) / HOUR;
    lastCpu = cpuSeconds;
    return new CurvePoint(
        instances,
        score.cumulative(),
        score.window(),
        learner.size(),
        modelBytes,
        ramHours,
        wallSeconds,
        cpuSeconds);
  }
}
