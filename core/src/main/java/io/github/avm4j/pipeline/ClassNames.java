// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of classes in order of first appearance: a name's index is its label in the learner.
 * Names only come, never go. Numbers are named in their shortest form ({@code 1}, not {@code
 * +1.0}).
 */
public final class ClassNames {
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> indices = new HashMap<>();

  /**
   * Starts with the given names.
   *
   * @param known names in the order of their indices
   */
  public ClassNames(List<String> known) {
    known.forEach(this::add);
  }

  /**
   * {@return the index of {@code name}, which is added if it is new}
   *
   * @param name name of a class
   */
  public int add(String name) {
    return indices.computeIfAbsent(
        name,
        added -> {
          names.add(added);
          return names.size() - 1;
        });
  }

  /**
   * {@return the index of {@code name}, or −1}
   *
   * @param name name of a class
   */
  public int indexOf(String name) {
    return indices.getOrDefault(name, -1);
  }

  /**
   * {@return the name of a label the learner knows; "?" for NaN, the prediction of a learner that
   * knows no class}
   *
   * @param label a label, which is the index of its name
   */
  public String nameOf(double label) {
    return Double.isNaN(label) ? "?" : names.get((int) label);
  }

  /** {@return the number of names} */
  public int size() {
    return names.size();
  }

  /** {@return a copy of the names} */
  public List<String> toList() {
    return List.copyOf(names);
  }
}
