// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Builds, saves and loads learners; start at {@link io.github.avm4j.Avm}. */
@NullMarked
package io.github.avm4j;

import org.jspecify.annotations.NullMarked;
