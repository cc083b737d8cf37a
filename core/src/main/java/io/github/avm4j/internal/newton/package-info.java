// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The second-order engine: an expansion over core points whose coefficients take Newton steps, the
 * choice of core points, and what engines share: columns of weights per class, stored rows,
 * relevance of features.
 */
@NullMarked
package io.github.avm4j.internal.newton;

import org.jspecify.annotations.NullMarked;
