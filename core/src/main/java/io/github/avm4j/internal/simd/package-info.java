// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Vectorised loops with a scalar twin each. */
@NullMarked
package io.github.avm4j.internal.simd;

import org.jspecify.annotations.NullMarked;
