// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.jspecify.annotations.Nullable;

/**
 * What a source makes of a record: an example, or a bad record.
 *
 * @param example the example; null if the record is none
 * @param bad the record, byte for byte, with the reason; null if it is an example
 * @param unusable columns of the schema whose cells hold what they cannot use, taken as missing
 */
public record Parsed(@Nullable Example example, @Nullable BadRecord bad, List<Integer> unusable) {

  /**
   * {@return the event time in milliseconds since 1970; of a bad record none, so that it has no say
   * in the watermark}
   */
  public long time() {
    return example == null ? TimestampAssigner.NO_TIMESTAMP : example.time();
  }
}
