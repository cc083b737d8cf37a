// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The paper's choices, and its theorems as functions: coverages of the input space by cells of
 * diameter δ, policies that decide whether an instance is replaced by the core point of its cell
 * (Z_t), which iterate or average predicts, and the bounds on regret and model size.
 */
@NullMarked
package io.github.avm4j.paper;

import org.jspecify.annotations.NullMarked;
