// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

/**
 * What methods may be told, in the words of the paper's Section 9.2; a method reads what its {@link
 * Method#knobs} name, and the sizes.
 *
 * @param gamma γ of the kernel exp(−γ‖x−x′‖²)
 * @param eta η, the step of gradient descent
 * @param lambda λ of the regulariser
 * @param c C, the most that one instance weighs (LIBSVM, LLSVM, BPAS)
 * @param delta δ, the diameter of AVM's cells
 * @param budget B, the most support vectors
 * @param randomFeatures D, the frequencies of FOGD; its features are twice as many
 * @param seed of all random choices
 */
public record Settings(
    double gamma,
    double eta,
    double lambda,
    double c,
    double delta,
    int budget,
    int randomFeatures,
    long seed) {

  /**
   * Checks the ranges.
   *
   * @param gamma γ of the kernel exp(−γ‖x−x′‖²)
   * @param eta η, the step of gradient descent
   * @param lambda λ of the regulariser
   * @param c C, the most that one instance weighs (LIBSVM, LLSVM, BPAS)
   * @param delta δ, the diameter of AVM's cells
   * @param budget B, the most support vectors
   * @param randomFeatures D, the frequencies of FOGD; its features are twice as many
   * @param seed of all random choices
   */
  public Settings {
    positive("gamma", gamma);
    positive("eta", eta);
    positive("lambda", lambda);
    positive("c", c);
    positive("delta", delta);
    if (budget < 2 || budget > 1_000_000) {
      throw new IllegalArgumentException("budget must be in 2..1000000, was " + budget);
    }
    if (randomFeatures < 1 || randomFeatures > 1_000_000) {
      throw new IllegalArgumentException(
          "randomFeatures must be in 1..1000000, was " + randomFeatures);
    }
  }

  private static void positive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be > 0 and finite, was " + value);
    }
  }

  /** {@return the settings γ = η = C = δ = 1, λ = 10⁻⁴, B = 100, D = 400, seed 1} */
  public static Settings standard() {
    return new Settings(1, 1, 1e-4, 1, 1, 100, 400, 1);
  }

  /**
   * {@return these settings with other sizes}
   *
   * @param newBudget B, most support vectors
   * @param newRandomFeatures D, number of random features
   */
  public Settings withSizes(int newBudget, int newRandomFeatures) {
    return new Settings(gamma, eta, lambda, c, delta, newBudget, newRandomFeatures, seed);
  }

  /**
   * {@return these settings with another δ}
   *
   * @param value δ &gt; 0
   */
  public Settings withDelta(double value) {
    return new Settings(gamma, eta, lambda, c, value, budget, randomFeatures, seed);
  }

  /**
   * {@return these settings with another seed}
   *
   * @param value any number
   */
  public Settings withSeed(long value) {
    return new Settings(gamma, eta, lambda, c, delta, budget, randomFeatures, value);
  }

  /**
   * {@return these settings with another value of one parameter}
   *
   * @param knob the parameter to change
   * @param value its value
   */
  public Settings with(Knob knob, double value) {
    return new Settings(
        knob == Knob.GAMMA ? value : gamma,
        knob == Knob.ETA ? value : eta,
        knob == Knob.LAMBDA ? value : lambda,
        knob == Knob.C ? value : c,
        delta,
        budget,
        randomFeatures,
        seed);
  }
}
