// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.kernel.Kernel;

/** Keeps the numbers of a {@link Certificate}. */
final class CertificateState {
  double farthest;
  double residual;
  long absorbed;

  CertificateState copy() {
    CertificateState copy = new CertificateState();
    copy.farthest = farthest;
    copy.residual = residual;
    copy.absorbed = absorbed;
    return copy;
  }

  /** Squared distance of an instance to its nearest core point. */
  void measured(double squared) {
    if (squared > farthest && squared < Double.POSITIVE_INFINITY) {
      farthest = squared;
    }
  }

  /** Squared distance in feature space of an instance to its projection. */
  void projected(double squaredResidual) {
    residual = Math.max(residual, squaredResidual);
  }

  void absorbed() {
    absorbed++;
  }

  long absorbedCount() {
    return absorbed;
  }

  Certificate certificate(Kernel kernel) {
    double deltaPhi = Math.sqrt(Math.max(0, 2 * (1 - kernel.value(farthest))));
    return new Certificate(Math.sqrt(farthest), deltaPhi, Math.sqrt(residual), absorbed);
  }
}
