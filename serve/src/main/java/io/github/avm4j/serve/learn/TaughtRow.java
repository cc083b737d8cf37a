// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import java.util.Map;

/**
 * A row and what it turned out to be.
 *
 * @param cells texts and numbers by column name, as they were written
 * @param truth its label or target
 * @param id the id that it waited under; empty if it did not
 */
record TaughtRow(Map<String, ?> cells, Truth truth, String id) {}
