// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** What is inferred from the first rows: the task and the columns, why, and how to change it. */
@NullMarked
package io.github.avm4j.cli.inference;

import org.jspecify.annotations.NullMarked;
