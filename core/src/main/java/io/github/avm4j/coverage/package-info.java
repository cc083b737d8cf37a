// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Coverages of the input space by cells of diameter δ, and what happens when the budget is full.
 */
@NullMarked
package io.github.avm4j.coverage;

import org.jspecify.annotations.NullMarked;
