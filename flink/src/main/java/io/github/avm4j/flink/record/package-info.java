// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Records that flow between operators, with a serializer for each; Kryo is never used. */
@NullMarked
package io.github.avm4j.flink.record;

import org.jspecify.annotations.NullMarked;
