// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import io.github.avm4j.baselines.TrivialBaseline;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.LearnerProvider;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.learner.OnlineLearner;
import java.util.ArrayList;
import java.util.List;

/** Stands for another library in tests: its learner has a majority class per category. */
public final class TableProvider implements LearnerProvider {

  /** Called by {@link java.util.ServiceLoader}. */
  public TableProvider() {}

  @Override
  public String library() {
    return "tests";
  }

  @Override
  public List<String> names(Task task) {
    return task == Task.CLASSIFICATION ? List.of("table") : List.of();
  }

  @Override
  public String title(String name) {
    return "Table";
  }

  @Override
  public Input input(String name) {
    return Input.ATTRIBUTES;
  }

  /** Finds the first nominal attribute and refuses a header without one. */
  @Override
  public OnlineLearner create(String name, StreamHeader header, long seed) {
    for (int a = 0; a < header.attributes().size(); a++) {
      if (header.attributes().get(a).isNominal()) {
        return new TableLearner(a, header.attributes().get(a).values().size());
      }
    }
    throw new IllegalArgumentException("no nominal attribute: " + header);
  }

  private static final class TableLearner implements OnlineLearner {
    private static final FeatureVector NOTHING = FeatureVector.dense(new double[1]);

    private final int attribute;
    private final List<OnlineLearner> majorities = new ArrayList<>();
    private long instances;

    TableLearner(int attribute, int values) {
      this.attribute = attribute;
      for (int v = 0; v < values; v++) {
        majorities.add(TrivialBaseline.mostFrequent(Task.CLASSIFICATION));
      }
    }

    private OnlineLearner at(FeatureVector x) {
      return majorities.get((int) x.get(attribute));
    }

    @Override
    public void learn(FeatureVector x, double y, double weight) {
      at(x).learn(NOTHING, y, weight);
      instances++;
    }

    @Override
    public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
      instances++;
      return at(x).predictThenLearn(NOTHING, y, weight, scores);
    }

    @Override
    public Task task() {
      return Task.CLASSIFICATION;
    }

    @Override
    public int classes() {
      return majorities.get(0).classes();
    }

    @Override
    public double label(int index) {
      return majorities.get(0).label(index);
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public double predict(FeatureVector x) {
      return at(x).predict(NOTHING);
    }

    @Override
    public double score(FeatureVector x) {
      return at(x).score(NOTHING);
    }

    @Override
    public void scores(FeatureVector x, double[] out) {
      at(x).scores(NOTHING, out);
    }

    @Override
    public long instances() {
      return instances;
    }

    @Override
    public long modelBytes() {
      return 0;
    }
  }
}
