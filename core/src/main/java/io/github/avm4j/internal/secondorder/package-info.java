// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The second-order step: solver, exchange of core points, information that adds. */
@NullMarked
package io.github.avm4j.internal.secondorder;

import org.jspecify.annotations.NullMarked;
