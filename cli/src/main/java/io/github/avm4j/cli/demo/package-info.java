// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The generated stream of {@code avm demo}, its evaluation and its output. */
@NullMarked
package io.github.avm4j.cli.demo;

import org.jspecify.annotations.NullMarked;
