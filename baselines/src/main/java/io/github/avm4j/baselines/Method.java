// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.learner.OnlineLearner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An online method by name.
 *
 * @param name what it is called on a command line, such as {@code linear}
 * @param title what the paper's tables call it
 * @param knobs the tasks it can learn, and for each the parameters that a search varies
 * @param maker makes a fresh learner
 */
public record Method(String name, String title, Map<Task, Set<Knob>> knobs, Maker maker) {

  /** Makes a learner that has seen nothing. */
  @FunctionalInterface
  public interface Maker {
    /**
     * {@return a learner for a task the method knows}
     *
     * @param task a task of {@link Method#tasks}
     * @param settings parameters of the method; others than those named are ignored
     */
    OnlineLearner make(Task task, Settings settings);
  }

  /**
   * Keeps the map unchanged.
   *
   * @param name what it is called on a command line, such as {@code linear}
   * @param title what the paper's tables call it
   * @param knobs the tasks it can learn, and for each the parameters that a search varies
   * @param maker makes a fresh learner
   */
  public Method {
    knobs = Map.copyOf(knobs);
  }

  /** {@return the tasks that it can learn} */
  public Set<Task> tasks() {
    return knobs.keySet();
  }

  /**
   * {@return what a search for the task varies; empty for a task it cannot learn}
   *
   * @param task classification or regression
   */
  public Set<Knob> knobs(Task task) {
    return knobs.getOrDefault(task, Set.of());
  }

  /**
   * {@return a learner that has seen nothing}
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public OnlineLearner create(Task task, Settings settings) {
    if (!knobs.containsKey(task)) {
      throw new IllegalArgumentException(name + " does not learn " + task + ", only " + tasks());
    }
    return maker.make(task, settings);
  }

  /**
   * {@return all settings of the paper's grid for n training instances; the rest as in {@code
   * base}}
   *
   * @param task classification or regression
   * @param base values of what is not varied
   * @param n number of instances
   */
  public List<Settings> grid(Task task, Settings base, long n) {
    return grid(knobs(task), base, n);
  }

  /**
   * {@return all settings of the paper's grid over some parameters; the rest as in {@code base}}
   *
   * @param knobs what is varied
   * @param base values of what is not varied
   * @param n number of instances
   */
  public static List<Settings> grid(Set<Knob> knobs, Settings base, long n) {
    List<Settings> grid = List.of(base);
    for (Knob knob : Knob.values()) {
      if (knobs.contains(knob)) {
        List<Settings> wider = new ArrayList<>();
        for (Settings settings : grid) {
          for (double value : knob.range(n)) {
            wider.add(settings.with(knob, value));
          }
        }
        grid = wider;
      }
    }
    return grid;
  }
}
