// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Options that several commands share, and the learner that they describe. */
@NullMarked
package io.github.avm4j.cli.option;

import org.jspecify.annotations.NullMarked;
