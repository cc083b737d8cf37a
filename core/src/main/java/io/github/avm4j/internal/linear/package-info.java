// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Linear algebra and sums that are not vectorised. */
@NullMarked
package io.github.avm4j.internal.linear;

import org.jspecify.annotations.NullMarked;
