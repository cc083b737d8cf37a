// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The entry point of the {@code avm} command: {@code Main} and the list of its subcommands. */
@NullMarked
package io.github.avm4j.cli;

import org.jspecify.annotations.NullMarked;
