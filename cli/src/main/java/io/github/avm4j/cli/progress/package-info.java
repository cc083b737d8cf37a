// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The state of a running command on standard error: progress bar, progress table, downloads. */
@NullMarked
package io.github.avm4j.cli.progress;

import org.jspecify.annotations.NullMarked;
