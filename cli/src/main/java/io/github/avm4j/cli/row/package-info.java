// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Rows of the input: their source, their match with a schema, and what is wrong with them. */
@NullMarked
package io.github.avm4j.cli.row;

import org.jspecify.annotations.NullMarked;
