// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.kernel.Kernel;

/** How far instances were from what stood in for them: the numbers of a certificate. */
public final class CertificateState {
  private double farthest;
  private double residual;
  private long absorbed;

  /** Nothing was met yet. */
  public CertificateState() {}

  /** Numbers of a file. */
  public CertificateState(double farthest, double residual, long absorbed) {
    this.farthest = farthest;
    this.residual = residual;
    this.absorbed = absorbed;
  }

  public CertificateState copy() {
    return new CertificateState(farthest, residual, absorbed);
  }

  /** Largest squared distance of an instance to its nearest core point. */
  public double farthest() {
    return farthest;
  }

  /** Largest squared distance, in feature space, of an instance to its projection. */
  public double residual() {
    return residual;
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
