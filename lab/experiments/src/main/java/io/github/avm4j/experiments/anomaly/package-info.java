// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The detector of anomalies beside others, on public and generated streams. */
@NullMarked
package io.github.avm4j.experiments.anomaly;

import org.jspecify.annotations.NullMarked;
