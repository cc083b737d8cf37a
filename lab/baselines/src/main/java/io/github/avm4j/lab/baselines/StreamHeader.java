// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.config.Task;
import java.util.HashSet;
import java.util.List;

/**
 * What is known of a stream before its first row. Learners that distinguish categories from numbers
 * need it.
 *
 * @param task what is learned
 * @param attributes one per feature of the vectors
 * @param labels all labels that occur; empty for regression
 */
public record StreamHeader(Task task, List<Attribute> attributes, List<Double> labels) {

  /**
   * Copies the lists and checks that labels are there for classification only.
   *
   * @param task what is learned
   * @param attributes one per feature of the vectors
   * @param labels all labels that occur; empty for regression
   */
  public StreamHeader {
    attributes = List.copyOf(attributes);
    labels = List.copyOf(labels);
    if ((task == Task.CLASSIFICATION) == labels.isEmpty()) {
      throw new IllegalArgumentException(task + " with " + labels.size() + " labels");
    }
    if (new HashSet<>(labels).size() < labels.size()) {
      throw new IllegalArgumentException("labels must differ, were " + labels);
    }
  }

  /**
   * One feature.
   *
   * @param name for people
   * @param values the categories, where the feature holds the index of one; empty for a number
   */
  public record Attribute(String name, List<String> values) {
    /**
     * Copies the list.
     *
     * @param name for people
     * @param values the categories; empty for a number
     */
    public Attribute {
      values = List.copyOf(values);
    }

    /**
     * {@return a numeric feature}
     *
     * @param name for people
     */
    public static Attribute number(String name) {
      return new Attribute(name, List.of());
    }

    /** {@return whether the feature holds the index of a category} */
    public boolean isNominal() {
      return !values.isEmpty();
    }
  }
}
