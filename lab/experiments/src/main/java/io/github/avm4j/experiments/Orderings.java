// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What must hold whatever the machine: asserted by the quick run.
 *
 * @param held sentences on what does
 * @param broken sentences on what does not; empty if all is well
 */
record Orderings(List<String> held, List<String> broken) {

  /** What of the plan's results holds and what does not. */
  static Orderings of(Results results, Plan plan) {
    Orderings orderings = new Orderings(new ArrayList<>(), new ArrayList<>());
    for (Job job : plan.runs()) {
      boolean ended =
          results.of(job).filter(node -> node.get("status").asText().equals("done")).isPresent();
      if (!ended) {
        orderings.broken.add(job.key() + " did not come to its end");
      }
    }
    for (String study : List.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS)) {
      for (String data : plan.data()) {
        if (!Runs.of(results, study, data, "avm", "").isEmpty()) {
          orderings.check(results, study, data);
        }
      }
    }
    return orderings;
  }

  private void check(Results results, String study, String data) {
    Runs avm = Runs.of(results, study, data, "avm", "");
    below(data + ": avm and the trivial prediction", avm.mean("error"), avm.mean("trivial"));
    for (String other : List.of("avm-hinge", "avm-eps", "rbp", "bogd")) {
      Runs runs = Runs.of(results, study, data, other, "");
      if (!runs.isEmpty()) {
        below(data + ": avm and " + other, avm.mean("error"), runs.mean("error"));
      }
    }
    Runs nogd = Runs.of(results, study, data, "nogd", "");
    Runs rbp = Runs.of(results, study, data, "rbp", "");
    if (!nogd.isEmpty() && !rbp.isEmpty()) {
      below(data + ": nogd and rbp", nogd.mean("error"), rbp.mean("error"));
    }
  }

  private void below(String what, double low, double high) {
    boolean holds = low < 1.02 * high;
    String relation = holds ? "is at most 1.02 times" : "is more than 1.02 times";
    (holds ? held : broken)
        .add(String.format(Locale.ROOT, "%s: %.4g %s %.4g", what, low, relation, high));
  }
}
