// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.fs.Path;

/** Flink's own options of a job. */
final class JobOptions {
  /** Flink's option of the folder of checkpoints. */
  static final String CHECKPOINTS = "execution.checkpointing.dir";

  /** Those that name the folder of checkpoints, or what else they are kept in. */
  private static final List<String> STORAGE =
      List.of(
          CHECKPOINTS,
          "state.checkpoints.dir",
          "execution.checkpointing.storage",
          "state.checkpoint-storage");

  private static final List<String> FOLDERS =
      List.of(CHECKPOINTS, "state.checkpoints.dir", "execution.checkpointing.savepoint-dir");

  private JobOptions() {}

  /**
   * Whether options say where checkpoints are kept. By Flink's own default it is the memory of the
   * JobManager, which refuses a state of more than five megabytes: no checkpoint completes then.
   */
  static boolean saysWhereStateIs(Map<String, String> options) {
    return STORAGE.stream().anyMatch(options::containsKey);
  }

  /** Flink takes folders of checkpoints with a scheme only, all others without one, too. */
  private static String uri(String folder) {
    return new Path(folder).toUri().getScheme() == null
        ? java.nio.file.Path.of(folder).toUri().toString()
        : folder;
  }

  /** Flink's configuration for the job: safe defaults, then the settings of the file. */
  static Configuration of(StreamConfig config) {
    Configuration options = new Configuration();
    options.setString("pipeline.name", config.name());
    options.setString("pipeline.generic-types", "false");
    options.setString("pipeline.object-reuse", "true");
    options.setString("pipeline.auto-generate-uids", "false");
    options.setString("execution.checkpointing.mode", "EXACTLY_ONCE");
    options.setString(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    // A disk that is full for a while must not end the job: it continues and tries again, until
    // CommitDeadline fails it.
    options.setString(
        "execution.checkpointing.tolerable-failed-checkpoints",
        Integer.toString(Integer.MAX_VALUE));
    options.setString("restart-strategy.type", "exponential-delay");
    options.setString("restart-strategy.exponential-delay.max-backoff", "30 s");
    // State of an output that was taken out of the file is dropped; the learner checks its own.
    options.setString("execution.state-recovery.ignore-unclaimed-state", "true");
    config
        .flink()
        .forEach(
            (key, value) -> options.setString(key, FOLDERS.contains(key) ? uri(value) : value));
    return options;
  }

  /** The same with the savepoint to resume from. */
  static Configuration of(StreamConfig config, Launch launch) {
    Configuration options = of(config);
    if (launch.savepoint() != null) {
      options.setString("execution.state-recovery.path", launch.savepoint());
    }
    return options;
  }

  /** The name that the job has on the cluster. */
  static String name(Configuration options) {
    return options.get(PipelineOptions.NAME);
  }
}
