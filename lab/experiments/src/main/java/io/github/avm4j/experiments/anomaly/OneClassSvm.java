// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import java.util.Random;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;

/**
 * LIBSVM's one-class machine as a reference that is no stream: fitted to {@value #SAMPLE} rows of
 * the whole stream, features with mean 0 and deviation 1 over it, ν = 0.05, γ = 1/d.
 */
final class OneClassSvm {
  private static final int SAMPLE = 2000;

  private OneClassSvm() {}

  /** Minus the decision values of all rows. */
  static double[] scores(AnomalyStream stream) {
    svm_node[][] rows = standardised(stream);
    svm_problem problem = new svm_problem();
    problem.l = Math.min(SAMPLE, rows.length);
    problem.x = new svm_node[problem.l][];
    problem.y = new double[problem.l];
    Random random = new Random(1);
    for (int i = 0; i < problem.l; i++) {
      problem.x[i] = rows[random.nextInt(rows.length)];
      problem.y[i] = 1;
    }
    svm_parameter parameters = new svm_parameter();
    parameters.svm_type = svm_parameter.ONE_CLASS;
    parameters.kernel_type = svm_parameter.RBF;
    parameters.gamma = 1.0 / stream.features();
    parameters.nu = 0.05;
    parameters.cache_size = 100;
    parameters.eps = 1e-3;
    svm.svm_set_print_string_function(text -> {});
    svm_model model = svm.svm_train(problem, parameters);
    double[] scores = new double[rows.length];
    double[] value = new double[1];
    for (int i = 0; i < rows.length; i++) {
      svm.svm_predict_values(model, rows[i], value);
      scores[i] = -value[0];
    }
    return scores;
  }

  private static svm_node[][] standardised(AnomalyStream stream) {
    int d = stream.features();
    int n = stream.rows().size();
    svm_node[][] rows = new svm_node[n][d];
    for (int j = 0; j < d; j++) {
      int feature = j;
      double mean = stream.rows().stream().mapToDouble(row -> row.x[feature]).average().orElse(0);
      double variance =
          stream.rows().stream()
              .mapToDouble(row -> (row.x[feature] - mean) * (row.x[feature] - mean))
              .average()
              .orElse(0);
      double unit = variance > 0 ? Math.sqrt(variance) : 1;
      for (int i = 0; i < n; i++) {
        svm_node node = new svm_node();
        node.index = j + 1;
        node.value = (stream.rows().get(i).x[j] - mean) / unit;
        rows[i][j] = node;
      }
    }
    return rows;
  }
}
