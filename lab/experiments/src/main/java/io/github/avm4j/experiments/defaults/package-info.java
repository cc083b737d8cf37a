// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
/** The tables of lab/results/default-learner.md: {@code DefaultTables} is the command. */
@org.jspecify.annotations.NullMarked
package io.github.avm4j.experiments.defaults;
