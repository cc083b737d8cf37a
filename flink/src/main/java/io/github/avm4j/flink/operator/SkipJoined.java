// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RawRecord;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.FilterFunction;

/**
 * Passes over the rows and labels that were joined for the plan of a job of mode {@code cells}: the
 * job reads topics from their beginning, and these records are learned from already. Finds them by
 * topic, partition and offset.
 */
public final class SkipJoined implements FilterFunction<Example> {
  private static final long serialVersionUID = 1;

  private final TreeMap<String, long[]> joined;

  /**
   * Creates the function for a plan.
   *
   * @param joined positions by source, ascending; see {@link CellStart#joined()}
   */
  public SkipJoined(Map<String, long[]> joined) {
    this.joined = new TreeMap<>(joined);
  }

  @Override
  public boolean filter(Example example) {
    RawRecord origin = example.origin();
    long[] positions = origin == null ? null : joined.get(origin.source());
    return origin == null
        || positions == null
        || Arrays.binarySearch(positions, origin.offset()) < 0;
  }
}
