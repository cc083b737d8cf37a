// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The subcommands of {@code avm}, one class each. */
@NullMarked
package io.github.avm4j.cli.command;

import org.jspecify.annotations.NullMarked;
