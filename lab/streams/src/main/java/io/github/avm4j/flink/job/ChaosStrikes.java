// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.MetricPorts;
import io.github.avm4j.flink.job.ChaosAlarms.Expected;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What chaos takes away and gives back, and the alarms that must tell of it. */
final class ChaosStrikes {
  private static final Expected RESTARTED = new Expected("AvmJobRestarted", "");

  private final SplittableRandom random;
  private final int workers;
  private final FlinkProcesses flink;
  private final MetricPorts ports;
  private final KafkaBroker broker;
  private final Path checkpoints;
  private final @Nullable ChaosServing serving;

  ChaosStrikes(
      SplittableRandom random,
      int workers,
      FlinkProcesses flink,
      MetricPorts ports,
      KafkaBroker broker,
      Path checkpoints,
      @Nullable ChaosServing serving) {
    this.random = random;
    this.workers = workers;
    this.flink = flink;
    this.ports = ports;
    this.broker = broker;
    this.checkpoints = checkpoints;
    this.serving = serving;
  }

  /** Something that is done to a process or a folder. */
  interface Action {
    void run() throws Exception;
  }

  /**
   * One strike.
   *
   * @param raised alarms that are raised while it is gone
   * @param after alarms that are raised by then or when it is back
   */
  record Strike(
      String victim,
      Action takeAway,
      Action giveBack,
      List<Expected> raised,
      List<Expected> after) {}

  /** The next one, at random. */
  Strike next() {
    List<Strike> all = new ArrayList<>(List.of(taskManager(), jobManager(), checkpointFolder()));
    ChaosServing server = serving;
    if (server != null) {
      all.add(broker());
      all.add(server(server));
    }
    return all.get(random.nextInt(all.size()));
  }

  private Strike taskManager() {
    String worker = FlinkProcesses.worker(random.nextInt(workers));
    return new Strike(
        "TaskManager",
        () -> flink.killTaskManager(worker),
        () -> flink.startTaskManager(worker),
        List.of(
            new Expected("AvmFlinkProcessDown", ports.target(worker)),
            new Expected("AvmTaskManagerMissing", "")),
        List.of(RESTARTED));
  }

  private Strike jobManager() {
    return new Strike(
        "JobManager",
        flink::killJobManager,
        flink::startJobManager,
        List.of(new Expected("AvmFlinkProcessDown", ports.target(MetricPorts.JOB_MANAGER))),
        List.of(RESTARTED));
  }

  /** Without a server nobody looks at the broker. */
  private Strike broker() {
    return new Strike(
        "broker",
        broker::kill,
        broker::start,
        List.of(new Expected("AvmSourceGone", "")),
        List.of());
  }

  private static Strike server(ChaosServing serving) {
    return new Strike(
        "server",
        serving::kill,
        serving::start,
        List.of(new Expected("AvmServerDown", serving.address())),
        List.of());
  }

  /** A folder that cannot be written: a file is in its place. No job may end of it. */
  private Strike checkpointFolder() {
    Path away = checkpoints.resolveSibling("checkpoints-away");
    return new Strike(
        "checkpoint folder",
        () -> {
          Files.move(checkpoints, away);
          Files.createFile(checkpoints);
        },
        () -> {
          Files.delete(checkpoints);
          Files.move(away, checkpoints);
        },
        List.of(new Expected("AvmCheckpointsFail", "")),
        List.of());
  }
}
