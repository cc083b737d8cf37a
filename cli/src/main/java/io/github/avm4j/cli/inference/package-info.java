// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The first rows of a reader, what the library infers from them, and all rows again. */
@NullMarked
package io.github.avm4j.cli.inference;

import org.jspecify.annotations.NullMarked;
