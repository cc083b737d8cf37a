// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.learner.OnlineLearner;
import java.util.List;

/**
 * Learners of another library, found at run time: a jar on the class path that names its provider
 * in {@code META-INF/services} adds its learners to a comparison. Nothing compiles against them.
 */
public interface LearnerProvider {

  /** What a learner's vectors hold. */
  enum Input {
    /** The attributes of the data: numbers as they are, categories as indices, NaN if missing. */
    ATTRIBUTES,
    /** One-hot categories and scaled numbers, as kernel methods get them. */
    SCALED
  }

  /** {@return the library and its version, such as {@code MOA 2024.07.0}} */
  String library();

  /**
   * {@return the names of the learners for a task, unique among all providers}
   *
   * @param task what is learned
   */
  List<String> names(Task task);

  /**
   * {@return what a learner is called in tables}
   *
   * @param name one of {@link #names}
   */
  String title(String name);

  /**
   * {@return what vectors a learner expects}
   *
   * @param name one of {@link #names}
   */
  Input input(String name);

  /**
   * {@return a learner that has seen nothing, with its library's default settings}
   *
   * @param name one of {@link #names}
   * @param header what is known of the stream
   * @param seed of its random numbers
   * @throws IllegalArgumentException if the provider has no such learner for the header's task
   */
  OnlineLearner create(String name, StreamHeader header, long seed);

  /** {@return the names of methods that give intervals for regression; none by default} */
  default List<String> intervalNames() {
    return List.of();
  }

  /**
   * {@return a regression learner that has seen nothing and gives intervals of one level}
   *
   * @param name one of {@link #intervalNames}
   * @param header what is known of the stream
   * @param level the share of instances whose target they are to hold
   * @param seed of its random numbers
   * @throws IllegalArgumentException if the provider has no such method
   */
  default OnlineLearner createIntervals(String name, StreamHeader header, double level, long seed) {
    throw new IllegalArgumentException(library() + " has no intervals called '" + name + "' here");
  }

  /**
   * {@return the providers on the class path} One whose library is absent is left out, as if it
   * were not there.
   */
  static List<LearnerProvider> found() {
    return Providers.found(LearnerProvider.class);
  }
}
