// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The competitors of the paper's Section 9, each from its own paper, and the predictions that need
 * no learning. All of them learn online but LIBSVM and LLSVM, which are batch methods.
 */
package io.github.avm4j.baselines;
