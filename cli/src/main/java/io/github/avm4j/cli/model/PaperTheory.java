// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.paper.Constants;
import io.github.avm4j.paper.Independence;
import io.github.avm4j.paper.RegretBound;
import io.github.avm4j.paper.SuffixAverage;

/** Bounds of the paper's theorems for a run of its algorithm. */
final class PaperTheory {
  private PaperTheory() {}

  /**
   * Describes the bounds as a JSON tree.
   *
   * @param yMax largest |y| of a regression; 0 if unknown, which omits the bounds that need it
   */
  static ObjectNode describe(AvmConfig config, long instances, double yMax) {
    ObjectNode node = JsonText.object();
    double delta = config.coverage().delta();
    double deltaPhi =
        config.approximation().usesCoverage() ? config.kernel().imageDiameter(delta) : 0;
    node.put("delta", delta);
    node.put("delta_phi", deltaPhi);
    double largest = config.task() == Task.CLASSIFICATION ? 1 : yMax > 0 ? yMax : config.yMax();
    if (largest == 0) {
      node.put("bounds", "unknown: set --y-max to the largest |y|");
      return node;
    }
    Constants constants = Constants.of(config.loss(), config.lambda(), deltaPhi, largest);
    node.put("P", constants.p());
    node.put("M", constants.m());
    node.put("L", constants.l());
    node.put("G", constants.g());
    node.put("H", constants.h());
    node.put("W", constants.w());
    if (instances > 0) {
      bounds(node, config, constants, deltaPhi, instances);
    }
    return node;
  }

  private static void bounds(
      ObjectNode node, AvmConfig config, Constants constants, double deltaPhi, long instances) {
    RegretBound bound = new RegretBound(constants, config.lambda(), deltaPhi);
    Independence independence = Independence.of(config.approximation());
    double rate = independence.meanRate(config.approximation(), 0, instances);
    node.put("gap_of_approximation", bound.gap(rate));
    node.put("regret_of_uniform_average", bound.uniformAverage(instances, rate));
    if (config.output() instanceof SuffixAverage suffix) {
      long start = (long) ((1 - suffix.alpha()) * instances);
      double late = independence.meanRate(config.approximation(), start, instances);
      node.put(
          "regret_of_suffix_average",
          bound.suffixAverage(suffix.alpha(), instances, constants.w(), late));
    }
  }
}
