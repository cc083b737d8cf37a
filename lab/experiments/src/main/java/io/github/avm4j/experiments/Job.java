// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.lab.baselines.PaperMethods;

/**
 * One thing to do: a search of parameters, a pass online, or a batch of training and testing.
 *
 * @param study the table or figure it belongs to
 * @param mode what to do
 * @param data the data set
 * @param method the method's name
 * @param seed of the permutation and of the method
 * @param variant what is varied, such as {@code delta=7}; empty for nothing
 * @param rows most rows of each part, 0 for all
 * @param beta β of the policy; 0 approximates always
 * @param rho ρ of the policy
 * @param settings the method's parameters
 */
record Job(
    String study,
    Mode mode,
    String data,
    String method,
    int seed,
    String variant,
    int rows,
    double beta,
    double rho,
    Settings settings) {

  /** What to do. */
  enum Mode {
    /** Find parameters. */
    SEARCH,
    /** Answer each row, then learn from it. */
    ONLINE,
    /** Learn from training rows, answer test rows. */
    BATCH
  }

  /** What tells this job from all others; its parameters are not part of it. */
  String key() {
    return String.join(
        "|", study, mode.name(), data, method, variant, Integer.toString(rows), "" + seed);
  }

  /** Parameters that are given rather than searched: one γ of a range, or the authors' own. */
  boolean isGiven() {
    return variant.startsWith("gamma=") || variant.equals(PaperVariant.AUTHORS);
  }

  /**
   * What would make another result of the same key: 2 for the default learner with cells, for
   * methods with λ, which was rescaled before, and for what was searched on rows of a later test; 1
   * for the rest. A result of an earlier revision counts until the job is done again.
   */
  int revision() {
    ExperimentData set = ExperimentData.of(data);
    boolean sawTest = !set.hasTest() && set.task() == Task.CLASSIFICATION;
    if (mode == Mode.SEARCH) {
      return sawTest && variant.equals(Plan.BY_HELD_OUT) ? 2 : 1;
    }
    boolean changed =
        PaperMethods.OURS.contains(method) || Plan.knobs(method, set.task()).contains(Knob.LAMBDA);
    return changed || sawTest && mode == Mode.BATCH ? 2 : 1;
  }

  /** The revision of a result. */
  static int revision(JsonNode result) {
    return result.path("revision").asInt(1);
  }

  /** The same with other parameters, its own sizes, δ and seed kept. */
  Job withFound(Settings found) {
    Settings merged =
        new Settings(
            found.gamma(),
            found.eta(),
            found.lambda(),
            found.c(),
            settings.delta(),
            settings.budget(),
            settings.randomFeatures(),
            seed);
    return new Job(study, mode, data, method, seed, variant, rows, beta, rho, merged);
  }

  ObjectNode toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("key", key()).put("revision", revision());
    node.put("study", study).put("mode", mode.name()).put("data", data).put("method", method);
    node.put("seed", seed).put("variant", variant).put("rows", rows);
    node.put("beta", beta).put("rho", rho);
    node.set("settings", toJson(settings));
    return node;
  }

  static ObjectNode toJson(Settings s) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("gamma", s.gamma())
        .put("eta", s.eta())
        .put("lambda", s.lambda())
        .put("c", s.c())
        .put("delta", s.delta())
        .put("budget", s.budget())
        .put("randomFeatures", s.randomFeatures())
        .put("seed", s.seed());
  }

  static Settings settings(JsonNode node) {
    return new Settings(
        node.get("gamma").asDouble(),
        node.get("eta").asDouble(),
        node.get("lambda").asDouble(),
        node.get("c").asDouble(),
        node.get("delta").asDouble(),
        node.get("budget").asInt(),
        node.get("randomFeatures").asInt(),
        node.get("seed").asLong());
  }

  static Job of(JsonNode node) {
    return new Job(
        node.get("study").asText(),
        Mode.valueOf(node.get("mode").asText()),
        node.get("data").asText(),
        node.get("method").asText(),
        node.get("seed").asInt(),
        node.get("variant").asText(),
        node.get("rows").asInt(),
        node.get("beta").asDouble(),
        node.get("rho").asDouble(),
        settings(node.get("settings")));
  }
}
