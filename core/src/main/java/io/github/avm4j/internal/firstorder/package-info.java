// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The paper's stochastic gradient step and its averages. */
@NullMarked
package io.github.avm4j.internal.firstorder;

import org.jspecify.annotations.NullMarked;
