// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import java.util.List;

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

  /**
   * Makes the coverage in advance (Section 6.2 of the paper) instead of on the fly: chooses core
   * points among a sample so that each of its instances lies in the cell of one. They are fewer
   * than those found on the fly, and do not depend on the order of the stream. An instance of the
   * stream that lies in none of these cells gets one of its own, as ever.
   *
   * <p>Takes time and memory with the square of the sample: a second for some thousand rows.
   *
   * @param sample instances like those to come, at most 16,384
   * @throws IllegalStateException if anything was learned before, or the sample is empty or too
   *     large
   * @throws IllegalArgumentException if instances differ in their number of features, or need more
   *     cells than the budget
   */
  public void cover(List<FeatureVector> sample) {
    engine.cover(sample);
  }

  /** {@return the number of cells, the paper's M_t: core points that are centres} */
  public int cells() {
    return engine.cells();
  }

  /**
   * {@return the number of instances outside every cell that were dropped because the budget was
   * full} 0 unless {@link io.github.avm4j.paper.WhenFull#REFUSE} is set.
   */
  public long refused() {
    return engine.refused();
  }

  /** {@return ‖w‖², kept only with the squared loss and λ ≤ 1} */
  public double squaredNorm() {
    return engine.squaredNorm();
  }
}
