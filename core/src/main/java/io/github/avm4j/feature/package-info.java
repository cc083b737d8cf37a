// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Feature vectors and where they come from: rows, columns, schemas, scaling. */
@NullMarked
package io.github.avm4j.feature;

import org.jspecify.annotations.NullMarked;
