// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Predictor;
import java.util.List;
import java.util.Set;

/**
 * A method that sees all its training data at once.
 *
 * @param name what it is called on a command line
 * @param title what the paper's Table 3 calls it
 * @param knobs the parameters that a search varies
 * @param trainer trains a classifier
 */
public record BatchMethod(String name, String title, Set<Knob> knobs, Trainer trainer) {
  /** LIBSVM and LLSVM. */
  public static final List<BatchMethod> ALL =
      List.of(
          new BatchMethod("libsvm", "LIBSVM", Set.of(Knob.GAMMA, Knob.C), Libsvm::train),
          new BatchMethod("llsvm", "LLSVM", Set.of(Knob.GAMMA, Knob.C), LowRankSvm::train));

  /** Trains a classifier. */
  @FunctionalInterface
  public interface Trainer {
    /**
     * The classifier of some instances; it may share nothing with them but the vectors.
     *
     * @param x features of the instances
     * @param y their labels
     * @param settings parameters of the method; others than those named are ignored
     * @return the classifier
     * @throws IllegalArgumentException if there are fewer than two classes, or more than the method
     *     supports
     */
    Predictor train(List<FeatureVector> x, double[] y, Settings settings);
  }

  /**
   * Keeps the set unchanged.
   *
   * @param name what it is called on a command line
   * @param title what the paper's Table 3 calls it
   * @param knobs the parameters that a search varies
   * @param trainer trains a classifier
   */
  public BatchMethod {
    knobs = Set.copyOf(knobs);
  }

  /**
   * {@return all settings of the paper's grid for n training instances; the rest as in {@code
   * base}}
   *
   * @param base values of what is not varied
   * @param n number of instances
   */
  public List<Settings> grid(Settings base, long n) {
    return Method.grid(knobs, base, n);
  }
}
