// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Prints one line when no broker answers or checkpoints fail, and one when it is over. Kafka's
 * clients say it for every connection and Flink with a stack trace for every checkpoint and
 * restart, so that their loggers are quiet (see {@link LocalRun}).
 *
 * <p>It asks the broker and the job's own REST rather than the loggers: messages of both change
 * between versions. Where settings under {@code flink.*} put REST elsewhere, it says nothing of
 * checkpoints.
 */
final class LocalWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 2000;
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final Pattern COMPLETED = Pattern.compile("\"completed\":(\\d+)");
  private static final Pattern FAILED = Pattern.compile("\"failed\":(\\d+)");

  private final @Nullable AdminReplies admin;
  private final URI checkpoints;
  private final Line broker;
  private final Line failing;
  private final Thread thread = new Thread(this::watch, "local-watch");
  private long completed;
  private long failed;

  /** A line when something begins, another when it is over. */
  private static final class Line {
    private final String begins;
    private final String over;
    private final PrintStream err;
    private boolean on;

    Line(String begins, String over, PrintStream err) {
      this.begins = begins;
      this.over = over;
      this.err = err;
    }

    void set(boolean now) {
      if (on != now) {
        on = now;
        err.println("avm stream: " + (now ? begins : over));
      }
    }
  }

  private LocalWatch(
      @Nullable AdminReplies admin, String servers, URI checkpoints, PrintStream err) {
    this.admin = admin;
    this.checkpoints = checkpoints;
    broker =
        new Line(
            "no broker answers at " + servers + "; the job waits for it",
            "a broker answers at " + servers + " again",
            err);
    failing =
        new Line(
            "checkpoints fail. The job learns on and publishes nothing until one completes; look"
                + " at the disk and the rights of checkpoints.folder, and at "
                + checkpoints,
            "checkpoints complete again",
            err);
  }

  /**
   * Watches until closed.
   *
   * @param kafka properties of Kafka's clients; without servers no broker is watched
   * @param checkpoints the job's checkpoints at Flink's REST
   */
  static LocalWatch start(Map<String, String> kafka, URI checkpoints, PrintStream err) {
    String servers = kafka.get("bootstrap.servers");
    AdminReplies admin =
        servers == null ? null : new AdminReplies(Admin.create(new HashMap<>(kafka)), PATIENCE);
    LocalWatch watch = new LocalWatch(admin, String.valueOf(servers), checkpoints, err);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PAUSE_MILLIS);
        lookAtCheckpoints();
        if (admin != null) {
          broker.set(!answers(admin));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean answers(AdminReplies broker) throws InterruptedException {
    try {
      return !broker.await(admin -> admin.describeCluster().nodes()).isEmpty();
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  private void lookAtCheckpoints() {
    String counts;
    try (InputStream in = checkpoints.toURL().openStream()) {
      counts = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return; // the job begins or ends, or REST is elsewhere
    }
    long nowCompleted = number(COMPLETED, counts);
    long nowFailed = number(FAILED, counts);
    if (nowCompleted > completed) {
      failing.set(false);
    } else if (nowFailed > failed) {
      failing.set(true);
    }
    completed = nowCompleted;
    failed = nowFailed;
  }

  private static long number(Pattern name, String text) {
    Matcher found = name.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Override
  public void close() {
    thread.interrupt();
    if (admin != null) {
      admin.close();
    }
  }
}
