// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.internal.newton.CertificateState;
import io.github.avm4j.internal.newton.SecondOrderEngine;

/**
 * The second-order learner: it projects an instance onto the span of the core points, which is
 * never farther than the nearest of them, and takes a Newton step, which needs no learning rate.
 * Instances the model already predicts well are skipped.
 *
 * <p>A prediction costs one distance pass; a step that learns costs O(S²) more. The learner is
 * bounded by the budget and, if set, by bytes. When they are used up, instances are absorbed by
 * projection, and a core point is replaced by a better one once there is evidence for it.
 *
 * <p>For one thread at a time; see {@link Learner}.
 */
public final class SecondOrderLearner extends EngineLearner<SecondOrderEngine> {
  /**
   * A learner that has seen nothing.
   *
   * @param config checked settings
   */
  public SecondOrderLearner(SecondOrderConfig config) {
    this(new SecondOrderEngine(config));
  }

  SecondOrderLearner(SecondOrderEngine engine) {
    super(engine);
  }

  @Override
  public SecondOrderConfig config() {
    return engine.config();
  }

  /**
   * {@return the number of instances that changed the model; the others were predicted well enough
   * to be skipped}
   */
  public long learned() {
    return engine.learned();
  }

  /** {@return the number of core points that were replaced by a better one} */
  public long replaced() {
    return engine.replaced();
  }

  /** {@return a bound of what the budget has cost so far} */
  public Certificate certificate() {
    return certificate(engine);
  }

  static Certificate certificate(SecondOrderEngine engine) {
    CertificateState state = engine.certificate();
    return new Certificate(
        state.delta(),
        state.deltaPhi(engine.config().kernel()),
        state.residualNorm(),
        state.absorbedCount());
  }

  /** {@return an upper bound of the bytes of heap it holds} */
  public long bytes() {
    return engine.bytes();
  }
}
