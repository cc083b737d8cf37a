// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import io.github.avm4j.config.LearnerConfig;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;

/** The check that all shards learn in the same way. */
public final class Configurations {
  private Configurations() {}

  /**
   * Checks that all are equal; all are records of one type.
   *
   * @throws IllegalArgumentException naming the first shard and component that differ
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
    for (RecordComponent component : first.getClass().getRecordComponents()) {
      Object wanted = value(component, first);
      Object found = value(component, other);
      if (!Objects.equals(wanted, found)) {
        return "%s is %s in shard 0 and %s in shard %d"
            .formatted(component.getName(), wanted, found, shard);
      }
    }
    throw new IllegalStateException(first + " and " + other + " differ in no component");
  }

  private static Object value(RecordComponent component, LearnerConfig config) {
    try {
      return component.getAccessor().invoke(config);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a configuration's components are public: " + component, e);
    }
  }
}
