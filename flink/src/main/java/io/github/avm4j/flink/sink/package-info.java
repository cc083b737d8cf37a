// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Sinks of models, predictions, scores and bad records, and Kafka sources. */
@NullMarked
package io.github.avm4j.flink.sink;

import org.jspecify.annotations.NullMarked;
