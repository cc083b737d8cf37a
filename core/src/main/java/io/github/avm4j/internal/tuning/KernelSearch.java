// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.kernel.Kernel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The best γ of a kernel family for the stored instances. It tries γ, 2γ, γ/2, … and goes on by a
 * factor of two in each direction for as long as that lowers the loss.
 *
 * @param family of all kernels tried
 * @param guess where the search began
 * @param found the γ of the smallest loss
 * @param loss its loss
 * @param tried all γ that were tried
 */
record KernelSearch(
    KernelFamily family, double guess, double found, double loss, NavigableSet<Double> tried) {

  /** Two to each side of a guess are always tried, a seventh never. */
  static final int LEAST_TRIED = 2;

  private static final int MOST_TRIED = 6;

  /** What teaches an engine with a kernel, which may give up once its loss has reached a bound. */
  @FunctionalInterface
  interface Teaching {
    /** The engine, and its loss or, if that is larger, any number from the bound on. */
    Race.Runner teach(Kernel kernel, double bound);
  }

  /**
   * Searches. One learner is alive at a time: those that go on are taught again.
   *
   * @param gamma where to begin
   * @param least tried to each side
   * @param bound a loss of which it need not be known by how much others exceed it
   * @param teaching from a kernel to a runner with the loss of the stored instances
   */
  static KernelSearch of(
      KernelFamily family, double gamma, int least, double bound, Teaching teaching) {
    NavigableSet<Double> tried = new TreeSet<>(List.of(gamma));
    double middle = teaching.teach(family.of(gamma), bound).loss;
    double found = gamma;
    double smallest = middle;
    for (double factor : new double[] {2, 0.5}) {
      double best = middle;
      double next = gamma;
      for (int i = 1; i <= MOST_TRIED; i++) {
        next *= factor;
        double loss = teaching.teach(family.of(next), best).loss;
        tried.add(next);
        if (loss < smallest) {
          smallest = loss;
          found = next;
        }
        if (loss >= best && i >= least) {
          break;
        }
        best = Math.min(best, loss);
      }
    }
    return new KernelSearch(family, gamma, found, smallest, tried);
  }

  /** The same of features that were multiplied by one over the root of a factor. */
  KernelSearch times(double factor) {
    NavigableSet<Double> all = new TreeSet<>();
    tried.forEach(gamma -> all.add(gamma * factor));
    return new KernelSearch(family, guess * factor, found * factor, loss, all);
  }

  /** The kernel found. */
  Kernel kernel() {
    return family.of(found);
  }

  /**
   * The kernels that are to race, best first. Few instances favour smooth functions, so that the
   * best γ grows with their number: below the first guess, the others are the guess and the γ
   * halfway to it; else the neighbours.
   *
   * @param most of them
   */
  List<Kernel> entrants(int most) {
    double other = found < guess ? guess : found / 2;
    double third = found < guess / 2 ? closest(Math.sqrt(found * guess)) : 2 * found;
    if (found == guess / 2) {
      third = found / 2;
    }
    return new LinkedHashSet<>(List.of(found, other, third))
        .stream().filter(tried::contains).limit(most).map(family::of).toList();
  }

  private double closest(double wanted) {
    Double above = tried.ceiling(wanted * 0.99);
    return above == null ? wanted : above;
  }
}
