// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

/** How far the self-configuring learner has come; phases follow each other in this order. */
public enum Phase {
  /** Instances are stored, and scaling, intercept and γ are fitted to them again and again. */
  ESTIMATING,

  /** Scaling and intercept are fixed; engines of several γ compete in a {@link Race}. */
  RACING,

  /** One engine is left; forgetting factors are tried now and then. */
  SETTLED
}
