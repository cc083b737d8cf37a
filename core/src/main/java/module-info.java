// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Kernel learning on streams: learners of bounded size that take one instance at a time, and the
 * immutable models they give. Start at {@link io.github.avm4j.Avm}.
 *
 * @since 0.1.0
 */
module io.github.avm4j.core {
  requires static jdk.incubator.vector;
  requires static org.jspecify;

  exports io.github.avm4j.config;
  exports io.github.avm4j.detector;
  exports io.github.avm4j.evaluation;
  exports io.github.avm4j.feature;
  exports io.github.avm4j.kernel;
  exports io.github.avm4j.learner;
  exports io.github.avm4j.loss;
  exports io.github.avm4j.model;
  exports io.github.avm4j.paper;
  exports io.github.avm4j.pipeline;
  exports io.github.avm4j;
}
