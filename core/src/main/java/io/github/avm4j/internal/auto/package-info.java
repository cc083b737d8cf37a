// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The default learner's engine: one for the whole space, one for each cell, and a fresh one when
 * the stream has changed.
 */
@NullMarked
package io.github.avm4j.internal.auto;

import org.jspecify.annotations.NullMarked;
