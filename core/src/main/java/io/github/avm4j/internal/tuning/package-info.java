// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Configures one expansion: estimation, the race for γ, trials of forgetting, temperature and
 * outliers.
 */
@NullMarked
package io.github.avm4j.internal.tuning;

import org.jspecify.annotations.NullMarked;
