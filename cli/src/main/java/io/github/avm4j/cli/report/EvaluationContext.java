// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.ScaledLearner;
import io.github.avm4j.pipeline.ClassNames;
import io.github.avm4j.pipeline.RowLearner;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an evaluation was of, for its reports.
 *
 * @param files as they were named
 * @param testFiles the files of rows held out
 * @param inferred one line on the data
 * @param target name of the predicted column, empty if unknown
 * @param features number of features, 0 if not known in advance
 * @param note one line on the learner
 * @param rows encodes rows and knows the names of the classes
 * @param shuffled whether rows came in random order
 * @param seed of the first order
 * @param window size of the window
 */
public record EvaluationContext(
    List<String> files,
    List<String> testFiles,
    String inferred,
    String target,
    int features,
    String note,
    RowLearner rows,
    boolean shuffled,
    long seed,
    int window) {

  /** Names of the classes. */
  public ClassNames names() {
    return rows.names();
  }

  /** Every knob of the learner by its name, those that it found included. */
  static Map<String, Object> configuration(Learner learner) {
    Map<String, Object> knobs = new LinkedHashMap<>();
    try {
      for (RecordComponent knob : learner.config().getClass().getRecordComponents()) {
        Object value = knob.getAccessor().invoke(learner.config());
        knobs.put(
            knob.getName(),
            value instanceof Number ? value : String.valueOf(value).replace("[]", ""));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    if (learner instanceof AutoLearner auto) {
      knobs.put("scaling", auto.settings().scaling().name().toLowerCase(java.util.Locale.ROOT));
      knobs.put("scaled", !auto.scaling().isIdentity());
      knobs.put("estimation", auto.settings().estimation());
      knobs.put("learned", auto.learned());
    } else if (learner instanceof ScaledLearner scaled) {
      knobs.put("scaled", !scaled.scaling().isIdentity());
      knobs.put("intercept", scaled.intercept());
    }
    return knobs;
  }
}
