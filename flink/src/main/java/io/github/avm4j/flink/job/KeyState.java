// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.util.LinkedHashMap;
import java.util.Map;

/** Flink's settings of the backend that holds the state of keys. */
public final class KeyState {
  private KeyState() {}

  /**
   * The settings of a backend.
   *
   * <p>With RocksDB, a learner of a key is looked up for every record. Without filters that reads
   * every level, and where indexes of files are larger than the cache, which they are from a few
   * million keys on, it reads whole indexes: a thousand times the bytes of the learner
   * (docs/scale.md).
   *
   * @param backend name of the backend
   * @return settings that a job may override
   */
  public static Map<String, String> settings(String backend) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("state.backend.type", backend);
    if (backend.equals("rocksdb")) {
      settings.put("state.backend.rocksdb.use-bloom-filter", "true");
      settings.put("state.backend.rocksdb.memory.partitioned-index-filters", "true");
      settings.put("execution.checkpointing.incremental", "true");
    }
    return settings;
  }
}
