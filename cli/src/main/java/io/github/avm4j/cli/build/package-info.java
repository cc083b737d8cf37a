// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The build's own programs, which no jar holds: manual pages, completion, bill of materials. */
@NullMarked
package io.github.avm4j.cli.build;

import org.jspecify.annotations.NullMarked;
