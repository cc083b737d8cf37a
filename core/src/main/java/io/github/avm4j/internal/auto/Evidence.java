// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.kernel.Kernel;
import java.util.Locale;

/**
 * How a challenge stands, for reports.
 *
 * @param subject what is decided
 * @param leader what is in use
 * @param challenger what is not; empty if there is none now
 * @param rows compared
 * @param loss mean loss of the leader
 * @param gain mean loss of the leader less that of the challenger
 * @param standardErrors the gain in standard errors; 0 where they are not known
 */
public record Evidence(
    String subject,
    String leader,
    String challenger,
    long rows,
    double loss,
    double gain,
    double standardErrors) {
  static Evidence of(String subject, String leader, String challenger, Challenge challenge) {
    return new Evidence(
        subject,
        leader,
        challenger,
        challenge.seen(),
        challenge.loss(),
        challenge.gain(),
        challenge.standardErrors());
  }

  /** A kernel by its family and γ. */
  static String name(Expert expert) {
    Kernel kernel = expert.engine().kernel;
    String family = kernel.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return family
        + " "
        + String.format(Locale.ROOT, "%.4g", kernel.gamma())
        + (expert.view().isWeighed() ? ", features weighed" : "");
  }

  static Evidence none(String subject, String leader) {
    return new Evidence(subject, leader, "", 0, 0, 0, 0);
  }
}
