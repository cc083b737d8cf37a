// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A detector of anomalies of another library, found at run time as the learners of {@link
 * LearnerProvider} are. Nothing compiles against it.
 */
public interface ScorerProvider {
  /** {@return what it is called in tables} */
  String title();

  /**
   * {@return a detector that has seen nothing, with its library's default settings: gives the score
   * of a row, larger for anomalies, and then learns it}
   *
   * @param features number of features of a row, each within 0 and 1 for most rows
   * @param seed of its random numbers
   */
  ToDoubleFunction<double[]> create(int features, long seed);

  /** {@return the providers on the class path whose library is there} */
  static List<ScorerProvider> found() {
    return Providers.found(ScorerProvider.class);
  }
}
