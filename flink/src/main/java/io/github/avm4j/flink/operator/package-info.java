// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Flink operators that learn, predict and join; each may be used in any job. Their state is written
 * by the serializers of {@link io.github.avm4j.flink.record} only.
 */
@NullMarked
package io.github.avm4j.flink.operator;

import org.jspecify.annotations.NullMarked;
