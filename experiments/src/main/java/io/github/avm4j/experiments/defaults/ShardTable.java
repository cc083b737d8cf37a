// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Hold-out error against the number of shards: the last fifth of the rows is answered by one
 * learner over the others, and by shards of them merged. Shards either begin as copies of a learner
 * of the first 20,000 rows (a quarter of a small set), or as nothing.
 */
final class ShardTable {
  static final int[] SHARDS = {1, 2, 4, 16, 64};
  private static final int MOST_START = 20_000;

  private final StreamData data;
  private final int seeds;

  ShardTable(StreamData data, int seeds) {
    this.data = data;
    this.seeds = seeds;
  }

  static String head() {
    return """
        | data | shards | one learner | from a common start | ratio | from nothing | ratio | a shard alone |
        |---|--:|--:|--:|--:|--:|--:|--:|
        """;
  }

  String rows() {
    double one = 0;
    double[][] errors = new double[SHARDS.length][3];
    for (int seed = 1; seed <= seeds; seed++) {
      int[] order = data.order(seed);
      int train = order.length / 5 * 4;
      AutoLearner all = fresh();
      learn(order, 0, train, List.of(all));
      one += error(all.snapshot(), order, train) / seeds;
      AutoLearner start = fresh();
      learn(order, 0, begin(train), List.of(start));
      for (int k = 0; k < SHARDS.length; k++) {
        double[] found = errors(order, train, start, SHARDS[k]);
        for (int j = 0; j < found.length; j++) {
          errors[k][j] += found[j] / seeds;
        }
      }
    }
    StringBuilder rows = new StringBuilder();
    for (int k = 0; k < SHARDS.length; k++) {
      double[] e = errors[k];
      rows.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %s | %s | %.3f | %s | %.3f | %s |%n",
              data.name(),
              SHARDS[k],
              DefaultTable.number(one),
              DefaultTable.number(e[0]),
              e[0] / one,
              DefaultTable.number(e[1]),
              e[1] / one,
              DefaultTable.number(e[2])));
    }
    return rows.toString();
  }

  private double[] errors(int[] order, int train, AutoLearner start, int count) {
    List<AutoLearner> forked = new ArrayList<>();
    List<AutoLearner> independent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      forked.add(Avm.shard(start));
      independent.add(fresh());
    }
    learn(order, begin(train), train, forked);
    learn(order, 0, train, independent);
    return new double[] {
      error(Avm.merge(start, forked).snapshot(), order, train),
      error(Avm.merge(independent).snapshot(), order, train),
      error(independent.get(0).snapshot(), order, train)
    };
  }

  private static int begin(int train) {
    return Math.min(MOST_START, train / 4);
  }

  private AutoLearner fresh() {
    return data.task() == Task.CLASSIFICATION ? Avm.classifier().build() : Avm.regressor().build();
  }

  private void learn(int[] order, int from, int to, List<AutoLearner> shards) {
    for (int t = from; t < to; t++) {
      shards.get(t % shards.size()).learn(data.x().get(order[t]), data.y().get(order[t]), 1);
    }
  }

  private double error(Model model, int[] order, int from) {
    boolean classes = data.task() == Task.CLASSIFICATION;
    double sum = 0;
    for (int t = from; t < order.length; t++) {
      double y = data.y().get(order[t]);
      double answer = model.predict(data.x().get(order[t]));
      sum += classes ? (answer == y ? 0 : 1) : (answer - y) * (answer - y);
    }
    double mean = sum / (order.length - from);
    return classes ? 100 * mean : Math.sqrt(mean);
  }
}
