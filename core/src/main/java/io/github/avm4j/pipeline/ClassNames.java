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

  /** Starts with the given names. */
  public ClassNames(List<String> known) {
    known.forEach(this::add);
  }

  /** The index of {@code name}, which is added if it is new. */
  public int add(String name) {
    return indices.computeIfAbsent(
        name,
        added -> {
          names.add(added);
          return names.size() - 1;
        });
  }

  /** The index of {@code name}, or −1. */
  public int indexOf(String name) {
    return indices.getOrDefault(name, -1);
  }

  /** The name of a label the learner knows; "?" for NaN, the answer of one that knows none. */
  public String nameOf(double label) {
    return Double.isNaN(label) ? "?" : names.get((int) label);
  }

  /** Number of names. */
  public int size() {
    return names.size();
  }

  /** A copy of the names. */
  public List<String> toList() {
    return List.copyOf(names);
  }
}
