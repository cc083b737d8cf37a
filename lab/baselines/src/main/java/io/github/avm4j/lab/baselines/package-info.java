// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The competitors of the paper's Section 9, each from its own paper, and the service interfaces by
 * which other libraries' learners, detectors and clusterers are found. All methods learn online but
 * LIBSVM and LLSVM, which are batch methods.
 */
package io.github.avm4j.lab.baselines;
