// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Where models, answers, scores and bad records go. */
@NullMarked
package io.github.avm4j.flink.sink;

import org.jspecify.annotations.NullMarked;
