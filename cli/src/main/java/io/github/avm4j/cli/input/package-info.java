// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Input files and their rows: their match with a schema, and what is wrong with them. */
@NullMarked
package io.github.avm4j.cli.input;

import org.jspecify.annotations.NullMarked;
