// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Anomalies in a stream, found without labels: p-values, attribution, feedback. */
@NullMarked
package io.github.avm4j.detector;

import org.jspecify.annotations.NullMarked;
