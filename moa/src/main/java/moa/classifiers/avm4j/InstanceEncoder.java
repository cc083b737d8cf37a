// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package moa.classifiers.avm4j;

import com.yahoo.labs.samoa.instances.Instance;
import io.github.avm4j.feature.FeatureVector;
import java.io.Serializable;

/**
 * MOA's instances as vectors: a number is one feature, a nominal attribute one feature a value. A
 * missing number is the mean of those learned so far (0 before the first), a missing nominal value
 * is all zeros. The layout is that of the first instance.
 */
final class InstanceEncoder implements Serializable {
  private static final long serialVersionUID = 1;

  /** Features of each attribute, 0 for the class. */
  private int[] widths = new int[0];

  private double[] means = new double[0];
  private double[] weights = new double[0];
  private double[] features = new double[0];

  /** The features of an instance, valid until the next call. */
  FeatureVector encode(Instance instance) {
    if (widths.length == 0) {
      layOut(instance);
    }
    if (instance.numAttributes() != widths.length) {
      throw new IllegalArgumentException(
          "an instance has "
              + instance.numAttributes()
              + " attributes, the first one had "
              + widths.length);
    }
    int next = 0;
    for (int a = 0; a < widths.length; a++) {
      if (widths[a] > 0) {
        put(instance, a, next);
      }
      next += widths[a];
    }
    return FeatureVector.dense(features);
  }

  private void put(Instance instance, int a, int next) {
    double value = instance.value(a);
    boolean missing = instance.isMissing(a) || !Double.isFinite(value);
    if (instance.attribute(a).isNumeric()) {
      features[next] = missing ? means[a] : value;
      return;
    }
    for (int k = 0; k < widths[a]; k++) {
      features[next + k] = !missing && (int) value == k ? 1 : 0;
    }
  }

  /** Takes the numbers of an instance that is learned from into the means. */
  void learn(Instance instance) {
    for (int a = 0; a < widths.length; a++) {
      double value = instance.value(a);
      boolean numeric = widths[a] > 0 && instance.attribute(a).isNumeric();
      if (numeric && !instance.isMissing(a) && Double.isFinite(value)) {
        weights[a] += instance.weight();
        means[a] += instance.weight() * (value - means[a]) / weights[a];
      }
    }
  }

  private void layOut(Instance instance) {
    int attributes = instance.numAttributes();
    widths = new int[attributes];
    means = new double[attributes];
    weights = new double[attributes];
    int total = 0;
    for (int a = 0; a < attributes; a++) {
      boolean numeric = instance.attribute(a).isNumeric();
      if (a != instance.classIndex()) {
        widths[a] = numeric ? 1 : instance.attribute(a).numValues();
      }
      total += widths[a];
    }
    features = new double[total];
  }
}
