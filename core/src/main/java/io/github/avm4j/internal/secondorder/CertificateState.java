// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.secondorder;

import io.github.avm4j.kernel.Kernel;

/** How far instances were from what stood in for them: the numbers of a certificate. */
public final class CertificateState {
  public double farthest;
  public double residual;
  public long absorbed;

  public CertificateState copy() {
    CertificateState copy = new CertificateState();
    copy.farthest = farthest;
    copy.residual = residual;
    copy.absorbed = absorbed;
    return copy;
  }

  /** Squared distance of an instance to its nearest core point. */
  public void measured(double squared) {
    if (squared > farthest && squared < Double.POSITIVE_INFINITY) {
      farthest = squared;
    }
  }

  /** Squared distance in feature space of an instance to its projection. */
  public void projected(double squaredResidual) {
    residual = Math.max(residual, squaredResidual);
  }

  public void absorbed() {
    absorbed++;
  }

  public long absorbedCount() {
    return absorbed;
  }

  /** Largest distance of an instance to its nearest core point. */
  public double delta() {
    return Math.sqrt(farthest);
  }

  /** The same in the feature space of {@code kernel}. */
  public double deltaPhi(Kernel kernel) {
    return Math.sqrt(Math.max(0, 2 * (1 - kernel.value(farthest))));
  }

  /** Largest distance, in feature space, of an instance to its projection. */
  public double residualNorm() {
    return Math.sqrt(residual);
  }
}
