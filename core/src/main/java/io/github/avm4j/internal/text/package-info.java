// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Texts as people write them, read as values. */
@NullMarked
package io.github.avm4j.internal.text;

import org.jspecify.annotations.NullMarked;
