// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * What learners are compared with, by name: the paper's learner, a linear one, and predictions that
 * need no learning.
 */
package io.github.avm4j.baselines;
