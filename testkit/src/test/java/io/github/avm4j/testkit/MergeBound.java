// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a merge must answer by its laws, and how far core points that moved may take it away. */
final class MergeBound {
  private MergeBound() {}

  /** The labels known to any shard, ascending; empty for regression. */
  static List<Double> labels(List<? extends Learner> shards) {
    TreeSet<Double> labels = new TreeSet<>();
    for (Learner shard : shards) {
      for (int j = 0; j < shard.classes(); j++) {
        labels.add(shard.label(j));
      }
    }
    return new ArrayList<>(labels);
  }

  /** The scores of x by ascending label, or the one number. */
  static double[] scores(Learner learner, FeatureVector x, List<Double> labels) {
    double[] own = new double[Math.max(1, learner.classes())];
    learner.scores(x, own);
    if (learner.task() == Task.REGRESSION) {
      return own;
    }
    double[] result = new double[labels.size()];
    // One class alone is known against all others together, a class among several by its score.
    boolean alone = learner.classes() == 1;
    for (int k = 0; k < result.length; k++) {
      result[k] = alone ? -own[0] / (labels.size() - 1) : 0;
      for (int j = 0; j < learner.classes(); j++) {
        result[k] = learner.label(j) == labels.get(k) ? own[j] : result[k];
      }
    }
    return result;
  }

  /** Σ (t_i/t)·score_i(x), by ascending label. */
  static double[] mean(List<? extends Learner> shards, FeatureVector x) {
    List<Double> labels = labels(shards);
    double all = instances(shards);
    boolean numbers = shards.get(0).task() == Task.REGRESSION;
    double[] mean = new double[numbers ? 1 : labels.size()];
    for (Learner shard : shards) {
      if (shard.instances() > 0) {
        double[] scores = scores(shard, x, labels);
        for (int k = 0; k < mean.length; k++) {
          mean[k] += shard.instances() / all * scores[k];
        }
      }
    }
    return mean;
  }

  static double instances(List<? extends Learner> shards) {
    return shards.stream().mapToDouble(Learner::instances).sum();
  }

  /** Σ (t_i/t)·|coefficient|·‖Φ(p) − Φ(c)‖ over points p that are not the merged set's own. */
  static double of(List<? extends Learner> shards, Learner merged) {
    Set<String> kept = new HashSet<>();
    Model union = merged.snapshot();
    for (int i = 0; i < union.size(); i++) {
      kept.add(key(union.corePoint(i)));
    }
    AvmConfig config = (AvmConfig) merged.config();
    double move =
        config.budget() > 0
            ? Math.sqrt(2)
            : config.kernel().imageDiameter(config.coverage().reach());
    double all = instances(shards);
    double sum = 0;
    for (Learner shard : shards) {
      Model model = shard.snapshot();
      for (int i = 0; i < model.size(); i++) {
        double size = largest(model, i) * shard.instances() / all;
        sum += kept.contains(key(model.corePoint(i))) ? 1e-12 * size : move * size;
      }
    }
    return sum + 1e-12;
  }

  private static double largest(Model model, int i) {
    double largest = 0;
    for (int c = 0; c < model.columns(); c++) {
      largest = Math.max(largest, Math.abs(model.coefficient(c, i)));
    }
    return largest;
  }

  /** The non-zero features as text: equal for equal points, however stored. */
  static String key(FeatureVector x) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < x.count(); k++) {
      if (x.values()[k] != 0) {
        text.append(x.isSparse() ? x.indices()[k] : k)
            .append(':')
            .append(x.values()[k])
            .append(' ');
      }
    }
    return text.toString();
  }
}
