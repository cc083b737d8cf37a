// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Prequential and hold-out evaluation: errors, baselines, learning curves. */
@NullMarked
package io.github.avm4j.evaluation;

import org.jspecify.annotations.NullMarked;
