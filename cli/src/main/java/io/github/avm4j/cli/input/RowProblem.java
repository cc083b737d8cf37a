// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.feature.Schema;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Error messages about rows that name columns instead of feature indices. */
public final class RowProblem {
  private static final Pattern FEATURE = Pattern.compile("feature (\\d+) is ([^;,]+)[;,].*");
  private static final Pattern TARGET = Pattern.compile("y must be (.*), was (.*)");
  private static final Pattern CLASS =
      Pattern.compile("label \\S+ would be class number (\\d+);.*");
  private static final Pattern WEIGHT = Pattern.compile("weight must be (.*), was (.*)");

  private RowProblem() {}

  /** Message for a row that a learner, model or encoder has rejected. */
  public static String text(IllegalArgumentException problem, Schema schema) {
    String message = String.valueOf(problem.getMessage());
    Matcher feature = FEATURE.matcher(message);
    if (feature.matches()) {
      return name(schema, Integer.parseInt(feature.group(1)))
          + " is "
          + feature.group(2)
          + ", too large (the maximum is 1e150): correct the value, or mark it as"
          + " missing";
    }
    Matcher target = TARGET.matcher(message);
    if (target.matches()) {
      return "the target is " + target.group(2) + " and must be " + target.group(1);
    }
    Matcher classes = CLASS.matcher(message);
    if (classes.matches()) {
      return "its label would be class number "
          + classes.group(1)
          + ", which is too many: use --task regression if labels are numbers, or choose another"
          + " column with --label";
    }
    Matcher weight = WEIGHT.matcher(message);
    if (weight.matches()) {
      return "the weight is " + weight.group(2) + " and must be " + weight.group(1);
    }
    return message;
  }

  /** Name of a feature; LIBSVM files number features from 1. */
  private static String name(Schema schema, int feature) {
    return schema.isNumbered()
        ? "feature number " + (feature + 1L)
        : "column " + Escaped.text(schema.featureName(feature));
  }
}
