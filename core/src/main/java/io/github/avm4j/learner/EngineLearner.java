// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.AutoFile;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.internal.newton.Engine;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Model;

/** Forwards to an engine; subclasses add what only their engine has. */
abstract sealed class EngineLearner<E extends Engine> implements Learner
    permits AutoLearner, KernelLearner, SecondOrderLearner {
  final E engine;

  private final RecentError recent = new RecentError();

  EngineLearner(E engine) {
    this.engine = engine;
  }

  /** The learner of an engine of any kind. */
  static EngineLearner<?> of(Engine engine) {
    if (engine instanceof AutoEngine auto) {
      return new AutoLearner(auto);
    }
    return engine instanceof SecondOrderEngine newton
        ? new SecondOrderLearner(newton)
        : new KernelLearner((FirstOrderEngine) engine);
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    engine.learn(x, y, weight);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    double prediction = engine.predictThenLearn(x, y, weight, scores);
    if (weight > 0) {
      recent.observe(task(), prediction, y);
    }
    return prediction;
  }

  @Override
  public double predict(FeatureVector x) {
    return engine.predict(x);
  }

  @Override
  public double score(FeatureVector x) {
    return engine.score(x);
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    engine.scores(x, out);
  }

  @Override
  public Task task() {
    return engine.task();
  }

  @Override
  public Calibration calibration() {
    return engine.calibration();
  }

  @Override
  public int classes() {
    return engine.classes();
  }

  @Override
  public double label(int index) {
    return engine.label(index);
  }

  @Override
  public int size() {
    return engine.size();
  }

  @Override
  public long instances() {
    return engine.instances();
  }

  @Override
  public long absorbed() {
    return engine.absorbed();
  }

  @Override
  public Model snapshot() {
    return engine.snapshot();
  }

  @Override
  public long modelBytes() {
    return engine instanceof AutoEngine auto ? auto.fileBytes() : FileSize.of(engine);
  }

  @Override
  public byte[] toBytes() {
    return engine instanceof AutoEngine auto ? AutoFile.write(auto) : LearnerFormat.write(engine);
  }

  /** How far it has come, for {@link #toString}. */
  String phase() {
    return "learning";
  }

  @Override
  public String toString() {
    return "%s, %s: %,d instances, %,d core points, recent error %s"
        .formatted(
            task() == Task.CLASSIFICATION ? "classifier" : "regressor",
            instances() == 0 ? "nothing learned" : phase(),
            instances(),
            size(),
            recent.text(task()));
  }
}
