// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.evaluation.LearningCurve.Sampling;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.model.Predictor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs one evaluation: prequential, or learning followed by predicting held-out rows. */
public final class Evaluator {
  private final int window;
  private final List<Consumer<Prequential>> listeners = new ArrayList<>();
  private @Nullable LabelBudget labels;

  public Evaluator(int window) {
    this.window = window;
  }

  /** Adds a consumer of points of the learning curve. */
  public void listen(Sampling sampling, Consumer<CurvePoint> consumer) {
    listeners.add(run -> run.listen(sampling, consumer));
  }

  /** Learns only from rows of the stream whose label is wanted. */
  public void learnOnly(LabelBudget budget) {
    labels = budget;
    listeners.add(run -> run.learnOnly(budget));
  }

  /** Learns from the stream, then predicts the held-out rows if there are any. */
  public Evaluation run(Learner learner, Instances stream, @Nullable Instances heldOut)
      throws IOException {
    Score score = Score.of(learner.task(), window);
    Score test = Score.of(learner.task(), window);
    Prequential run = new Prequential(learner, score, System::nanoTime, cpuClock());
    CoverageScore coverage = run.watchCoverage();
    CurveSampler curve = new CurveSampler();
    run.listen(curve, curve);
    listeners.forEach(listener -> listener.accept(run));
    PairSample pairs = new PairSample();
    while (stream.next()) {
      double y = stream.y();
      try {
        pairs.add(y, run.step(stream.x(), y, stream.weight()));
      } catch (IllegalArgumentException e) {
        reject(stream, e);
        continue;
      }
      if (heldOut != null) {
        test.observe(y, stream.weight());
      }
    }
    CurvePoint end = run.finish();
    if (heldOut == null) {
      return new Evaluation(score, learner, end, curve.points(), pairs, coverage, labels, null);
    }
    long start = System.nanoTime();
    PairSample testPairs = new PairSample();
    test.freeze();
    CoverageScore testCoverage = predict(learner.snapshot(), heldOut, test, testPairs);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Evaluation(
        test,
        learner,
        end,
        curve.points(),
        testPairs,
        testCoverage,
        labels,
        new Evaluation.Test(seconds));
  }

  private static void reject(Instances stream, IllegalArgumentException e) {
    if (!(stream instanceof RowInstances rows)) {
      throw new AvmException(stream + ": " + e.getMessage(), e);
    }
    rows.reject(e);
  }

  private static CoverageScore predict(
      Predictor predictor, Instances stream, Score score, PairSample pairs) throws IOException {
    CoverageScore coverage = new CoverageScore(predictor.calibration().levels());
    int known = predictor.classes();
    double[] scores = new double[Math.max(1, known)];
    while (stream.next()) {
      try {
        double prediction = predictor.predict(stream.x());
        if (predictor.task() == Task.CLASSIFICATION && known > 0) {
          predictor.scores(stream.x(), scores);
        }
        score.add(stream.y(), prediction, stream.weight(), predictor, scores, known);
        coverage.add(predictor.calibration(), stream.y(), prediction, predictor, scores, known);
        pairs.add(stream.y(), prediction);
      } catch (IllegalArgumentException e) {
        reject(stream, e);
      }
    }
    return coverage;
  }

  /** Processor time of this thread, or the wall clock if the JVM does not measure that. */
  private static LongSupplier cpuClock() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported()
        ? threads::getCurrentThreadCpuTime
        : System::nanoTime;
  }
}
