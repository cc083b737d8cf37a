// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

/** Which kernels the default learner may choose. */
public enum KernelChoice {
  /** The Gaussian or the Matérn 3/2, whichever predicts better; the Gaussian if γ is set. */
  AUTOMATIC,
  /** The Gaussian alone: the only kernel that PMML and LIBSVM have. */
  GAUSSIAN
}
