// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** What engines share: labels, columns of coefficients, checks, the one distance pass. */
@NullMarked
package io.github.avm4j.internal.expansion;

import org.jspecify.annotations.NullMarked;
