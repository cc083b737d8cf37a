// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** What flows between operators, and how each is written: our own serializers, no Kryo. */
@NullMarked
package io.github.avm4j.flink.record;

import org.jspecify.annotations.NullMarked;
