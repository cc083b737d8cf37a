// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * An example on its way to the learner of its cell.
 *
 * @param cell the cell, from 0
 * @param example the example
 */
public record RoutedExample(int cell, Example example) {}
