// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Versions of models that others publish to a Kafka topic. */
@NullMarked
package io.github.avm4j.follow.kafka;

import org.jspecify.annotations.NullMarked;
