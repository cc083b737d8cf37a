// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * An example together with the cell that learns from it.
 *
 * @param cell the cell, from 0
 * @param example the example
 */
public record RoutedExample(int cell, Example example) {}
