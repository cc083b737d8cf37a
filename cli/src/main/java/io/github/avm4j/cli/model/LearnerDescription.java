// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.learner.AutoLearner;

/** Description of the default learner's state of self-configuration as JSON. */
public final class LearnerDescription {
  private LearnerDescription() {}

  /**
   * Adds {@code learning} (phase, renewals and cells) and {@code contests}, one row per challenger,
   * to the description of a model.
   */
  public static void describe(AutoLearner learner, ObjectNode tree) {
    ArrayNode contests = JsonText.array();
    learner.contests().forEach(contest -> rows(contest, contests));
    ObjectNode learning = JsonText.object();
    learning.put("phase", phase(learner));
    learning.put("renewals", learner.renewals());
    learning.put("cells", learner.cells());
    learning.put("predicting_cells", learner.predictingCells());
    tree.set("learning", learning);
    tree.set("contests", contests);
  }

  private static String phase(AutoLearner learner) {
    if (learner.isFitted()) {
      return "fitted";
    }
    if (learner.isEstimating()) {
      return "estimating";
    }
    boolean racing =
        learner.contests().stream()
            .anyMatch(one -> one.subject().equals("kernel") && !one.challengers().isEmpty());
    return racing ? "racing" : "settled";
  }

  private static void rows(AutoLearner.ContestStatus contest, ArrayNode rows) {
    if (contest.challengers().isEmpty()) {
      named(contest, rows);
    }
    for (AutoLearner.Challenger challenger : contest.challengers()) {
      ObjectNode row = named(contest, rows);
      row.put("challenger", challenger.name());
      row.put("instances", contest.instances());
      row.put("loss", contest.loss());
      row.put("gain", challenger.gain());
      row.put("standard_errors", challenger.standardErrors());
    }
  }

  private static ObjectNode named(AutoLearner.ContestStatus contest, ArrayNode rows) {
    ObjectNode row = rows.addObject();
    row.put("name", contest.subject());
    row.put("leader", contest.leader());
    return row;
  }
}
