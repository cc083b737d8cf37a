// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;
import org.jspecify.annotations.Nullable;

/**
 * A real cluster: ZooKeeper for high availability, a JobManager and TaskManagers, each a process
 * with Flink's own jars alone; what a job needs more it must bring.
 */
public final class FlinkProcesses extends FlinkRest implements AutoCloseable {
  private static final String[] OPENS = {
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-exports=java.base/sun.net.util=ALL-UNNAMED"
  };
  private static final List<String> NOT_FLINK =
      List.of("avm4j", "flink-connector-kafka", "flink-connector-base", "kafka", "junit", "scala");

  private final Path folder;
  private final int rpcPort = KafkaBroker.freePort();
  private final Relay network = new Relay(rpcPort);
  private final List<String> classPath;
  private final MetricPorts metrics;
  private final Map<String, JavaProcess> taskManagers = new TreeMap<>();
  private int started;
  private final JavaProcess zooKeeper;
  private @Nullable JavaProcess jobManager;

  /** Starts ZooKeeper, a JobManager and {@code workers} TaskManagers with two slots each. */
  public FlinkProcesses(Path folder, int workers) throws Exception {
    this(folder, workers, new MetricPorts());
  }

  /** Starts them with metrics for Prometheus. */
  public FlinkProcesses(Path folder, int workers, MetricPorts metrics) throws Exception {
    super(KafkaBroker.freePort());
    this.metrics = metrics;
    this.folder = Files.createDirectories(folder);
    this.classPath =
        JavaProcess.classPath().stream()
            .filter(entry -> entry.endsWith(".jar"))
            .filter(
                entry ->
                    NOT_FLINK.stream()
                        .noneMatch(Path.of(entry).getFileName().toString()::startsWith))
            .toList();
    int zooKeeperPort = KafkaBroker.freePort();
    zooKeeper = startZooKeeper(zooKeeperPort);
    configure(zooKeeperPort);
    Thread supervisor = new Thread(this::superviseForEver, "supervisor");
    supervisor.setDaemon(true);
    supervisor.start();
    startJobManager();
    for (int w = 0; w < workers; w++) {
      startTaskManager(worker(w));
    }
    Waiting.until(
        workers + " TaskManagers", () -> get("/overview").path("taskmanagers").asInt() == workers);
  }

  private JavaProcess startZooKeeper(int port) throws IOException {
    Path file = folder.resolve("zoo.cfg");
    Files.writeString(
        file,
        "tickTime=500\ninitLimit=10\nsyncLimit=5\nadmin.enableServer=false\ndataDir="
            + folder.resolve("zookeeper")
            + "\nclientPort="
            + port
            + "\nclientPortAddress=localhost"
            + "\nserver.1=localhost:"
            + KafkaBroker.freePort()
            + ":"
            + KafkaBroker.freePort()
            + "\n");
    return JavaProcess.start(
        folder.resolve("zookeeper.log"),
        classPath,
        List.of(
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
            "--zkConfigFile",
            file.toString(),
            "--peerId",
            "1"));
  }

  private void configure(int zooKeeperPort) throws IOException {
    Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        folder.resolve("conf/config.yaml"),
        """
        jobmanager.rpc.address: localhost
        jobmanager.bind-host: localhost
        jobmanager.rpc.bind-port: %d
        jobmanager.memory.process.size: 700m
        rest.address: localhost
        rest.bind-address: localhost
        rest.port: %d
        taskmanager.memory.process.size: 900m
        taskmanager.memory.managed.size: 64m
        taskmanager.memory.network.min: 32m
        taskmanager.memory.network.max: 32m
        taskmanager.host: localhost
        taskmanager.bind-host: localhost
        taskmanager.numberOfTaskSlots: 2
        io.tmp.dirs: %s
        web.refresh-interval: 500
        pekko.ask.timeout: 60 s
        heartbeat.interval: 1000
        heartbeat.timeout: 5000
        slot.request.timeout: 60000
        restart-strategy.exponential-delay.initial-backoff: 500 ms
        high-availability.type: zookeeper
        high-availability.jobmanager.port: %d
        high-availability.zookeeper.quorum: localhost:%d
        high-availability.zookeeper.client.session-timeout: 6000
        high-availability.storageDir: %s
        %s"""
            .formatted(
                rpcPort,
                port(),
                folder.resolve("tmp"),
                network.port(),
                zooKeeperPort,
                folder.resolve("ha").toUri(),
                metrics.configuration()));
  }

  /** The name of TaskManager {@code w}. */
  public static String worker(int w) {
    return "tm-" + w;
  }

  /** Starts the JobManager, again. */
  public void startJobManager() throws Exception {
    launchJobManager();
    Waiting.until("JobManager at " + address(), () -> get("/overview").has("taskmanagers"));
  }

  private synchronized void launchJobManager() throws IOException {
    List<String> command = new ArrayList<>(List.of(OPENS));
    command.addAll(
        List.of(
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            "--configDir",
            folder.resolve("conf").toString()));
    jobManager = JavaProcess.start(folder.resolve("jobmanager.log"), classPath, command);
  }

  /**
   * Starts what has ended by itself, as the supervisor of a cluster does: on a busy machine Flink's
   * processes end if they are not up within ten seconds.
   */
  private synchronized void supervise() throws IOException {
    if (jobManager != null && !jobManager.isAlive()) {
      launchJobManager();
    }
    for (Map.Entry<String, JavaProcess> worker : List.copyOf(taskManagers.entrySet())) {
      if (!worker.getValue().isAlive()) {
        startTaskManager(worker.getKey());
      }
    }
  }

  private void superviseForEver() {
    try {
      while (true) {
        Thread.sleep(1000);
        supervise();
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("no supervisor any more", e);
    }
  }

  /**
   * Starts a TaskManager of that name, with an empty folder: it would check all jars that those
   * before it have left.
   */
  public synchronized void startTaskManager(String name) throws IOException {
    Configuration options =
        GlobalConfiguration.loadConfiguration(folder.resolve("conf").toString());
    TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(options);
    List<String> command = new ArrayList<>(List.of(OPENS));
    command.addAll(List.of(ProcessMemoryUtils.generateJvmParametersStr(spec).split(" ")));
    if (JavaProcess.vector()) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    command.add("org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
    command.add("--configDir");
    command.add(folder.resolve("conf").toString());
    command.addAll(
        List.of(TaskExecutorProcessUtils.generateDynamicConfigsStr(spec).strip().split(" +")));
    command.add("-D");
    command.add("taskmanager.resource-id=" + name);
    command.add("-D");
    command.add("process.taskmanager.working-dir=" + folder.resolve("work-" + ++started));
    command.addAll(metrics.arguments(name));
    taskManagers.put(name, JavaProcess.start(folder.resolve(name + ".log"), classPath, command));
  }

  /** The network between the JobManager and the TaskManagers. */
  public Relay network() {
    return network;
  }

  /** SIGKILL to the JobManager. */
  public synchronized void killJobManager() {
    if (jobManager != null) {
      jobManager.kill();
      jobManager = null;
    }
  }

  /** SIGKILL to a TaskManager. */
  public synchronized void killTaskManager(String name) {
    taskManagers.remove(name).kill();
  }

  /**
   * The TaskManager that runs a job's operator whose name contains {@code operator}. The REST
   * endpoint's view of a job is some seconds old: a task that already runs may be unassigned there,
   * so this waits until it names one of ours.
   */
  public String workerOf(String job, String operator) throws Exception {
    String[] worker = new String[1];
    Waiting.until(
        "worker of " + operator,
        () -> {
          worker[0] = reportedWorkerOf(job, operator);
          return isUp(worker[0]);
        });
    return worker[0];
  }

  private synchronized boolean isUp(String worker) {
    return taskManagers.containsKey(worker);
  }

  @Override
  public synchronized void close() {
    taskManagers.values().forEach(JavaProcess::kill);
    taskManagers.clear();
    killJobManager();
    zooKeeper.kill();
    try {
      network.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
