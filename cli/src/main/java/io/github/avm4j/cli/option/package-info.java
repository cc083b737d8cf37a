// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Options that several commands share, and the inference of what the user has not set. */
@NullMarked
package io.github.avm4j.cli.option;

import org.jspecify.annotations.NullMarked;
