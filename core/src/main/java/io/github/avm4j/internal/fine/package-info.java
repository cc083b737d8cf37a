// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Fine points: thousands of points with a narrow kernel that correct a second-order engine. */
@NullMarked
package io.github.avm4j.internal.fine;

import org.jspecify.annotations.NullMarked;
