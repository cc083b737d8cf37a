// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

/**
 * A check that a learner does not pass, and why. The check is run all the same and must fail: an
 * exemption that is no longer needed is an error.
 *
 * @param check the name of the check, as in {@link LearnerChecks}
 * @param reason why it cannot be passed
 */
public record Exemption(String check, String reason) {

  /**
   * Checks that a reason is given.
   *
   * @param check the name of the check, as in {@link LearnerChecks}
   * @param reason why it cannot be passed
   */
  public Exemption {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("an exemption from '" + check + "' needs a reason");
    }
  }
}
