// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The paper's Section 9, run again: definitions, workers, raw results and the report of them. */
package io.github.avm4j.experiments;
