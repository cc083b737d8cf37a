// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** One pass over a stream: training with saves, or an evaluation with its learning curve. */
@NullMarked
package io.github.avm4j.cli.run;

import org.jspecify.annotations.NullMarked;
