// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * Policies that decide whether an instance is replaced by the core point of its cell: the paper's
 * Z_t.
 */
@NullMarked
package io.github.avm4j.approximation;

import org.jspecify.annotations.NullMarked;
