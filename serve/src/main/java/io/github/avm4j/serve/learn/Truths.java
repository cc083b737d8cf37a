// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.config.Task;
import io.github.avm4j.serve.http.Problem;
import org.jspecify.annotations.Nullable;

/** What labels and targets must be. */
final class Truths {
  private static final int LONGEST = 1_000;

  /** What learners take. Squares of more would make the error infinite for ever. */
  private static final double LARGEST = 1e100;

  private Truths() {}

  /**
   * A truth that a learner of that task can learn.
   *
   * @param task null if the first row is to decide
   * @throws Problem if it cannot
   */
  static Truth check(Truth truth, @Nullable Task task) {
    if (task != null && truth.isNumber() != (task == Task.REGRESSION)) {
      throw Problem.badRequest(
          truth.isNumber()
              ? "this learner learns classes: send \"label\" instead of \"target\""
              : "this learner learns numbers: send \"target\" instead of \"label\"");
    }
    if (truth.isNumber()) {
      number(truth.text());
    } else if (truth.text().isBlank() || truth.text().length() > LONGEST) {
      throw Problem.badRequest(
          "a label must have 1 to " + LONGEST + " characters, not blanks alone");
    }
    return truth;
  }

  static double number(String text) {
    try {
      double number = Double.parseDouble(text);
      if (Math.abs(number) <= LARGEST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Problem.badRequest(
        "a target must be a finite number within ±1e100; classes are sent as \"label\"");
  }
}
