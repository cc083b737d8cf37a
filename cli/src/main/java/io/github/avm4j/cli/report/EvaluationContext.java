// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.ScaledLearner;
import io.github.avm4j.pipeline.ClassNames;
import io.github.avm4j.pipeline.RowLearner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Data and settings of an evaluation, for its reports.
 *
 * @param files names of the files
 * @param testFiles names of the files of held-out rows
 * @param inferred description of the data in one line
 * @param target name of the predicted column, empty if unknown
 * @param features number of features, 0 if not known in advance
 * @param note description of the learner in one line
 * @param rows encoder of rows, with the names of the classes
 * @param shuffled whether the rows were shuffled
 * @param seed seed of the first run
 * @param window size of the sliding window
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
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  /** Names of the classes. */
  public ClassNames names() {
    return rows.names();
  }

  /** Settings of the learner by name as JSON has it, estimated ones included. */
  static Map<String, Object> configuration(Learner learner) {
    Map<String, Object> settings = new LinkedHashMap<>();
    learner
        .config()
        .toMap()
        .forEach(
            (name, value) ->
                settings.put(
                    CAPITAL.matcher(name).replaceAll("_$0").toLowerCase(Locale.ROOT),
                    value instanceof Number ? value : String.valueOf(value).replace("[]", "")));
    if (learner instanceof AutoLearner auto) {
      settings.put("scaling", auto.settings().scaling().name().toLowerCase(Locale.ROOT));
      settings.put("scaled", !auto.scaling().isIdentity());
      settings.put("estimation", auto.settings().estimation());
      settings.put("learned", auto.learned());
    } else if (learner instanceof ScaledLearner scaled) {
      settings.put("scaled", !scaled.scaling().isIdentity());
      settings.put("intercept", scaled.intercept());
    }
    return settings;
  }
}
