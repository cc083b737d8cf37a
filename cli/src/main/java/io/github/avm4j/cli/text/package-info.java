// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Text formats of the output: JSON trees, HTML fragments, escaped text. */
@NullMarked
package io.github.avm4j.cli.text;

import org.jspecify.annotations.NullMarked;
