// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The permutations of one method on one data set.
 *
 * @param runs results that came to their end
 * @param unfinished results that ran out of time or failed
 */
record Runs(List<JsonNode> runs, List<JsonNode> unfinished) {
  Runs {
    runs = List.copyOf(runs);
    unfinished = List.copyOf(unfinished);
  }

  /** The results of a study, data set, method and variant. */
  static Runs of(Results results, String study, String data, String method, String variant) {
    return of(results.all(), study, data, method, variant);
  }

  /** The same of some results; where there are several revisions, of the latest. */
  static Runs of(
      Collection<JsonNode> results, String study, String data, String method, String variant) {
    List<JsonNode> ended = new ArrayList<>();
    List<JsonNode> other = new ArrayList<>();
    for (JsonNode node : results) {
      boolean wanted =
          node.get("study").asText().equals(study)
              && node.get("data").asText().equals(data)
              && node.get("method").asText().equals(method)
              && node.get("variant").asText().equals(variant);
      if (wanted) {
        (node.get("status").asText().equals("done") ? ended : other).add(node);
      }
    }
    int latest = ended.stream().mapToInt(Job::revision).max().orElse(1);
    ended.removeIf(node -> Job.revision(node) < latest);
    return new Runs(ended, other);
  }

  /** Whether the results are of an earlier revision than a run today would be. */
  boolean isEarlier() {
    return !runs.isEmpty() && Job.revision(runs.get(0)) < Job.of(runs.get(0)).revision();
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  double mean(String field) {
    return mean(node -> node.get(field).asDouble());
  }

  double mean(ToDoubleFunction<JsonNode> figure) {
    return runs.stream().mapToDouble(figure).average().orElse(Double.NaN);
  }

  /** The deviation over permutations, with n − 1; 0 of a single one. */
  double deviation(String field) {
    double mean = mean(field);
    double sum = 0;
    for (JsonNode run : runs) {
      sum += Math.pow(run.get(field).asDouble() - mean, 2);
    }
    return runs.size() < 2 ? 0 : Math.sqrt(sum / (runs.size() - 1));
  }

  /** A column of the mean curve: 0 instances, 1 error, 2 seconds. */
  double[] curve(int column) {
    int points = runs.stream().mapToInt(run -> run.path("curve").size()).min().orElse(0);
    double[] curve = new double[points];
    for (int i = 0; i < points; i++) {
      int at = i;
      curve[i] = mean(run -> run.get("curve").get(at).get(column).asDouble());
    }
    return curve;
  }
}
