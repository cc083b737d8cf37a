// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Core points and the distances of an instance to all of them. */
@NullMarked
package io.github.avm4j.internal.coreset;

import org.jspecify.annotations.NullMarked;
