// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Flink operators that learn, merge, answer and join; each may be used in any job. Functions are
 * shipped to the workers as Flink ships all functions; what they keep is written by {@link
 * io.github.avm4j.flink.record}'s serializers alone.
 */
@NullMarked
package io.github.avm4j.flink.operator;

import org.jspecify.annotations.NullMarked;
