// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Prints one line when checkpoints fail and one when they complete again. Flink logs a stack trace
 * for each.
 */
final class CheckpointWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final ClusterAddress cluster;
  private final String path;
  private final PrintStream err;
  private final Thread thread = new Thread(this::watch, "checkpoint-watch");
  private long completed;
  private long failed;
  private boolean failing;

  private CheckpointWatch(ClusterAddress cluster, String job, PrintStream err) {
    this.cluster = cluster;
    this.path = "/jobs/" + job + "/checkpoints";
    this.err = err;
  }

  /** Watches until closed. */
  static CheckpointWatch start(ClusterAddress cluster, String job, PrintStream err) {
    CheckpointWatch watch = new CheckpointWatch(cluster, job, err);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PAUSE.toMillis());
        try {
          look(ClusterStatus.get(cluster, path));
        } catch (IOException e) {
          // The job begins or ends, or flink.* has put REST where this process cannot ask.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(JsonNode checkpoints) {
    long nowCompleted = checkpoints.path("counts").path("completed").asLong();
    long nowFailed = checkpoints.path("counts").path("failed").asLong();
    if (nowCompleted > completed && failing) {
      failing = false;
      err.println("avm stream: checkpoints complete again");
    } else if (nowCompleted == completed && nowFailed > failed && !failing) {
      failing = true;
      err.println(
          "avm stream: a checkpoint failed"
              + reason(checkpoints)
              + ". The job learns on and publishes nothing until one completes;"
              + " look at the disk and the rights of checkpoints.folder");
    }
    completed = nowCompleted;
    failed = nowFailed;
  }

  private static String reason(JsonNode checkpoints) {
    for (JsonNode one : checkpoints.path("history")) {
      String message = one.path("failure_message").asText("");
      if (!message.isBlank()) {
        return ": " + message.lines().findFirst().orElse("").replaceAll("\\.+$", "");
      }
    }
    return "";
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
