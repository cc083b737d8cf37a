// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What must hold whatever the machine: asserted by the quick run. */
final class Orderings {
  private Orderings() {}

  /** Sentences on what does not hold; empty if all is well. */
  static List<String> broken(Results results, Plan plan) {
    List<String> broken = new ArrayList<>();
    for (Job job : plan.runs()) {
      boolean ended =
          results.of(job).filter(node -> node.get("status").asText().equals("done")).isPresent();
      if (!ended) {
        broken.add(job.key() + " did not come to its end");
      }
    }
    for (String study : List.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS)) {
      for (String data : plan.data()) {
        if (!Runs.of(results, study, data, "avm", "").isEmpty()) {
          check(broken, results, study, data);
        }
      }
    }
    return broken;
  }

  private static void check(List<String> broken, Results results, String study, String data) {
    Runs avm = Runs.of(results, study, data, "avm", "");
    below(broken, data + ": avm and the trivial answer", avm.mean("error"), avm.mean("trivial"));
    for (String other : List.of("avm-hinge", "avm-eps", "rbp", "bogd")) {
      Runs runs = Runs.of(results, study, data, other, "");
      if (!runs.isEmpty()) {
        below(broken, data + ": avm and " + other, avm.mean("error"), runs.mean("error"));
      }
    }
    Runs nogd = Runs.of(results, study, data, "nogd", "");
    Runs rbp = Runs.of(results, study, data, "rbp", "");
    if (!nogd.isEmpty() && !rbp.isEmpty()) {
      below(broken, data + ": nogd and rbp", nogd.mean("error"), rbp.mean("error"));
    }
  }

  private static void below(List<String> broken, String what, double low, double high) {
    if (!(low < 1.02 * high)) {
      broken.add(String.format(Locale.ROOT, "%s: %.4g is not below %.4g", what, low, high));
    }
  }
}
