// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** How far off predictions are: thresholds that a given share of the instances stays within. */
@NullMarked
package io.github.avm4j.internal.calibration;

import org.jspecify.annotations.NullMarked;
