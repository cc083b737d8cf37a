// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;

/**
 * The paper's learner (Algorithms 1, 2 and 5): kernel SGD in which an instance may be replaced by
 * the core point of its cell.
 *
 * <p>A step costs one distance pass, O(S·d) dense or O(S·nnz) sparse, and allocates only when a
 * core point or a class is new. With the squared loss and λ ≤ 1 it costs a second pass.
 *
 * <p>Up to two classes share one column f, negative for the first label and positive for the second
 * (Algorithm 2). A third class turns it into columns −f/2 and f/2 and from then on Algorithm 5
 * applies; declare three or more labels to have it from the start.
 *
 * <p>For one thread at a time; see {@link Learner}.
 */
public final class KernelLearner extends EngineLearner<FirstOrderEngine> {
  /**
   * A learner that has seen nothing.
   *
   * @param config checked settings
   */
  public KernelLearner(AvmConfig config) {
    this(new FirstOrderEngine(config));
  }

  KernelLearner(FirstOrderEngine engine) {
    super(engine);
  }

  @Override
  public AvmConfig config() {
    return engine.config();
  }

  /** {@return the number of cells, the paper's M_t: core points that are centres} */
  public int cells() {
    return engine.cells();
  }

  /**
   * {@return the number of instances outside every cell that were dropped because the budget was
   * full} 0 unless {@link io.github.avm4j.coverage.WhenFull#REFUSE} is set.
   */
  public long refused() {
    return engine.refused();
  }

  /** {@return ‖w‖², kept only with the squared loss and λ ≤ 1} */
  public double squaredNorm() {
    return engine.squaredNorm();
  }
}
