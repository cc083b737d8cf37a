// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Divisions of the input space into cells: around centres, or by thresholds on single features.
 *
 * @since 0.1.0
 */
@NullMarked
package io.github.avm4j.partition;

import org.jspecify.annotations.NullMarked;
