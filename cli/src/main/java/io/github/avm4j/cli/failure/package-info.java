// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Errors that end a command: their exceptions, exit codes and messages. */
@NullMarked
package io.github.avm4j.cli.failure;

import org.jspecify.annotations.NullMarked;
