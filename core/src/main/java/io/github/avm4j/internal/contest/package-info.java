// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Decides between alternatives by their losses on the same instances. */
@NullMarked
package io.github.avm4j.internal.contest;

import org.jspecify.annotations.NullMarked;
