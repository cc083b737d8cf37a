// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Predictor;
import java.util.ArrayList;
import java.util.List;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;

/**
 * LIBSVM's C-SVC through its own Java library, one against all for more than two classes as in the
 * paper.
 *
 * <p>C.-C. Chang and C.-J. Lin, "LIBSVM: A Library for Support Vector Machines", ACM TIST 2 (2011).
 * Between quadratic and cubic in the number of instances; a prediction costs O(support vectors·d).
 */
final class Libsvm extends FixedClassifier {
  private static final double TOLERANCE = 1e-3;
  private static final double CACHE_MB = 200;

  private final List<svm_model> models;

  private Libsvm(double[] labels, List<svm_model> models) {
    super(labels);
    this.models = models;
  }

  static Predictor train(List<FeatureVector> x, double[] y, Settings settings) {
    double[] labels = labels(y);
    svm.svm_set_print_string_function(text -> {});
    svm_node[][] rows = new svm_node[x.size()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = nodes(x.get(i));
    }
    List<svm_model> models = new ArrayList<>();
    for (int c = labels.length == 2 ? 1 : 0; c < labels.length; c++) {
      models.add(svm.svm_train(problem(rows, y, labels[c]), parameter(settings)));
    }
    return new Libsvm(labels, models);
  }

  private static svm_problem problem(svm_node[][] rows, double[] y, double positive) {
    svm_problem problem = new svm_problem();
    problem.l = rows.length;
    problem.x = rows;
    problem.y = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      problem.y[i] = y[i] == positive ? 1 : -1;
    }
    return problem;
  }

  private static svm_parameter parameter(Settings settings) {
    svm_parameter parameter = new svm_parameter();
    parameter.svm_type = svm_parameter.C_SVC;
    parameter.kernel_type = svm_parameter.RBF;
    parameter.gamma = settings.gamma();
    parameter.C = settings.c();
    parameter.eps = TOLERANCE;
    parameter.cache_size = CACHE_MB;
    parameter.shrinking = 1;
    parameter.weight_label = new int[0];
    parameter.weight = new double[0];
    return parameter;
  }

  private static svm_node[] nodes(FeatureVector x) {
    List<svm_node> nodes = new ArrayList<>();
    for (int k = 0; k < x.count(); k++) {
      if (x.values()[k] != 0) {
        svm_node node = new svm_node();
        node.index = 1 + (x.isSparse() ? x.indices()[k] : k);
        node.value = x.values()[k];
        nodes.add(node);
      }
    }
    return nodes.toArray(svm_node[]::new);
  }

  @Override
  double[] columns(FeatureVector x) {
    svm_node[] nodes = nodes(x);
    double[] columns = new double[models.size()];
    double[] value = new double[1];
    for (int j = 0; j < columns.length; j++) {
      svm.svm_predict_values(models.get(j), nodes, value);
      columns[j] = models.get(j).label[0] == 1 ? value[0] : -value[0];
    }
    return columns;
  }

  /** Support vectors, those of several classes counted for each. */
  @Override
  public int size() {
    return models.stream().mapToInt(model -> model.l).sum();
  }
}
