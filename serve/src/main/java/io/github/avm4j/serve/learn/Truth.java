// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.feature.Row;

/**
 * What a row turned out to be: the label of its class, or a number.
 *
 * @param text the label's name, or the number as it was written
 * @param isNumber whether it was called {@code target}, not {@code label}
 */
public record Truth(String text, boolean isNumber) {
  /** The name of a class in requests and journals. */
  public static final String LABEL = "label";

  /** The name of a number there. */
  public static final String TARGET = "target";

  /** What a learner takes. */
  Object value() {
    return isNumber ? (Object) Double.valueOf(text) : text;
  }

  /** The name that the class of this label has: {@code 1} for {@code 1.0}. */
  String className() {
    Row row = new Row();
    row.setLabel(text);
    return row.labelText();
  }
}
