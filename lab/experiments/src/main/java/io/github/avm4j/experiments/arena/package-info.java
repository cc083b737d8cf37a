// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The arena: the default learner, the paper's competitors and the learners of other libraries on
 * the same rows in the same order, one process per entry, with ranks and critical differences.
 */
package io.github.avm4j.experiments.arena;
