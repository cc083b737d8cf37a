// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/**
 * The processes of {@code avm serve} and {@code avm stream}, which have class paths of their own.
 */
@NullMarked
package io.github.avm4j.cli.process;

import org.jspecify.annotations.NullMarked;
