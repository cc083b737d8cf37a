// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Configures one engine: estimation, the race for γ, trials of forgetting, temperature, and the
 * engines of cells.
 */
@NullMarked
package io.github.avm4j.internal.auto;

import org.jspecify.annotations.NullMarked;
