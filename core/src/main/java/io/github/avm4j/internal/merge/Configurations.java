// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import io.github.avm4j.config.LearnerConfig;
import java.util.List;
import java.util.Map;

/** The check that all shards learn in the same way. */
public final class Configurations {
  private Configurations() {}

  /**
   * Checks that all are equal; all are of one type.
   *
   * @throws IllegalArgumentException naming the first shard and setting that differ
   */
  public static void requireEqual(List<? extends LearnerConfig> configs) {
    LearnerConfig first = configs.get(0);
    for (int i = 1; i < configs.size(); i++) {
      if (!configs.get(i).equals(first)) {
        throw new IllegalArgumentException(
            "shards must have one configuration: "
                + difference(first, configs.get(i), i)
                + "; build all shards alike");
      }
    }
  }

  private static String difference(LearnerConfig first, LearnerConfig other, int shard) {
    Map<String, Object> found = other.toMap();
    for (Map.Entry<String, Object> wanted : first.toMap().entrySet()) {
      if (!wanted.getValue().equals(found.get(wanted.getKey()))) {
        return "%s is %s in shard 0 and %s in shard %d"
            .formatted(wanted.getKey(), wanted.getValue(), found.get(wanted.getKey()), shard);
      }
    }
    throw new IllegalStateException(first + " and " + other + " differ in no setting");
  }
}
