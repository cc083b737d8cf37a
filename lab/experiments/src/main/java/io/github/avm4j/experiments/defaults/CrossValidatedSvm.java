// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;

/**
 * LIBSVM's C-SVC, or ε-SVR on a target of deviation 1, with a Gaussian kernel whose γ, and C, have
 * the smallest error in five-fold cross-validation over a grid of 54.
 */
final class CrossValidatedSvm {
  private static final int FOLDS = 5;
  private static final int LEAST_GAMMA = -4;
  private static final int LARGEST_GAMMA = 4;
  private static final int LEAST_C = -1;
  private static final int LARGEST_C = 4;

  private final boolean regression;
  private final svm_problem problem = new svm_problem();
  private double mean;
  private double deviation = 1;

  private CrossValidatedSvm(List<FeatureVector> x, double[] y, Task task) {
    regression = task == Task.REGRESSION;
    if (regression) {
      mean = Arrays.stream(y).average().orElse(0);
      double variance = Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(0);
      deviation = Math.sqrt(variance);
    }
    problem.l = y.length;
    problem.x = x.stream().map(CrossValidatedSvm::nodes).toArray(svm_node[][]::new);
    problem.y = Arrays.stream(y).map(v -> (v - mean) / deviation).toArray();
  }

  /** What predicts a row that was scaled as the training rows are. */
  static ToDoubleFunction<FeatureVector> train(List<FeatureVector> x, double[] y, Task task) {
    svm.svm_set_print_string_function(text -> {});
    CrossValidatedSvm own = new CrossValidatedSvm(x, y, task);
    int features = x.stream().mapToInt(FeatureVector::dimension).max().orElse(1);
    svm_model model = svm.svm_train(own.problem, own.best(features));
    return row -> svm.svm_predict(model, nodes(row)) * own.deviation + own.mean;
  }

  private svm_parameter best(int features) {
    double least = Double.POSITIVE_INFINITY;
    svm_parameter best = parameter(1.0 / features, 1);
    for (int g = LEAST_GAMMA; g <= LARGEST_GAMMA; g++) {
      for (int c = LEAST_C; c <= LARGEST_C; c++) {
        svm_parameter tried = parameter(Math.pow(2, g) / features, Math.pow(4, c));
        double error = error(tried);
        if (error < least) {
          least = error;
          best = tried;
        }
      }
    }
    return best;
  }

  private double error(svm_parameter tried) {
    double[] predicted = new double[problem.l];
    svm.rand.setSeed(1);
    svm.svm_cross_validation(problem, tried, FOLDS, predicted);
    double error = 0;
    for (int i = 0; i < predicted.length; i++) {
      double off = predicted[i] - problem.y[i];
      error += regression ? off * off : off == 0 ? 0 : 1;
    }
    return error;
  }

  private svm_parameter parameter(double gamma, double c) {
    svm_parameter parameter = new svm_parameter();
    parameter.svm_type = regression ? svm_parameter.EPSILON_SVR : svm_parameter.C_SVC;
    parameter.kernel_type = svm_parameter.RBF;
    parameter.gamma = gamma;
    parameter.C = c;
    parameter.p = 0.1;
    parameter.eps = 1e-3;
    parameter.cache_size = 100;
    parameter.shrinking = 1;
    parameter.weight_label = new int[0];
    parameter.weight = new double[0];
    return parameter;
  }

  private static svm_node[] nodes(FeatureVector x) {
    List<svm_node> nodes = new ArrayList<>();
    for (int k = 0; k < x.count(); k++) {
      svm_node node = new svm_node();
      node.index = 1 + (x.isSparse() ? x.indices()[k] : k);
      node.value = x.values()[k];
      nodes.add(node);
    }
    return nodes.toArray(svm_node[]::new);
  }
}
