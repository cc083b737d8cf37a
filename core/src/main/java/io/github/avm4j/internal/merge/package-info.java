// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Merging of engines trained on disjoint parts of a stream. */
@NullMarked
package io.github.avm4j.internal.merge;

import org.jspecify.annotations.NullMarked;
