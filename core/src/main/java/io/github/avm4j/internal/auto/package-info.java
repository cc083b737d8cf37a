// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Configures one engine: estimation, the race for γ, trials of forgetting, fine points,
 * temperature.
 */
@NullMarked
package io.github.avm4j.internal.auto;

import org.jspecify.annotations.NullMarked;
