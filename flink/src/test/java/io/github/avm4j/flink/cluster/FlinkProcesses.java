// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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
public final class FlinkProcesses implements AutoCloseable {
  private static final String[] OPENS = {
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-exports=java.base/sun.net.util=ALL-UNNAMED"
  };
  private static final List<String> NOT_FLINK =
      List.of("avm4j", "flink-connector-kafka", "flink-connector-base", "kafka", "junit", "scala");

  private final Path folder;
  private final int restPort = KafkaBroker.freePort();
  private final List<String> classPath;
  private final boolean vector;
  private final MetricPorts metrics;
  private final Map<String, JavaProcess> taskManagers = new TreeMap<>();
  private final JavaProcess zooKeeper;
  private @Nullable JavaProcess jobManager;
  private final HttpClient client = HttpClient.newHttpClient();

  /** Starts ZooKeeper, a JobManager and {@code workers} TaskManagers with two slots each. */
  public FlinkProcesses(Path folder, int workers) throws Exception {
    this(folder, workers, new MetricPorts());
  }

  /** Starts them with metrics for Prometheus. */
  public FlinkProcesses(Path folder, int workers, MetricPorts metrics) throws Exception {
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
    vector = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    int zooKeeperPort = KafkaBroker.freePort();
    zooKeeper = startZooKeeper(zooKeeperPort);
    configure(zooKeeperPort);
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
        pekko.ask.timeout: 60 s
        heartbeat.interval: 1000
        heartbeat.timeout: 5000
        slot.request.timeout: 60000
        restart-strategy.exponential-delay.initial-backoff: 500 ms
        high-availability.type: zookeeper
        high-availability.zookeeper.quorum: localhost:%d
        high-availability.zookeeper.client.session-timeout: 6000
        high-availability.storageDir: %s
        %s"""
            .formatted(
                restPort, zooKeeperPort, folder.resolve("ha").toUri(), metrics.configuration()));
  }

  /** The name of TaskManager {@code w}. */
  public static String worker(int w) {
    return "tm-" + w;
  }

  /** Starts the JobManager, again. */
  public void startJobManager() throws Exception {
    List<String> command = new ArrayList<>(List.of(OPENS));
    command.addAll(
        List.of(
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            "--configDir",
            folder.resolve("conf").toString()));
    JavaProcess started = JavaProcess.start(folder.resolve("jobmanager.log"), classPath, command);
    jobManager = started;
    Waiting.until(
        "JobManager at " + address(),
        () -> {
          started.requireAlive();
          return get("/overview").has("taskmanagers");
        });
  }

  /** Starts a TaskManager of that name. */
  public void startTaskManager(String name) throws IOException {
    Configuration options =
        GlobalConfiguration.loadConfiguration(folder.resolve("conf").toString());
    TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(options);
    List<String> command = new ArrayList<>(List.of(OPENS));
    command.addAll(List.of(ProcessMemoryUtils.generateJvmParametersStr(spec).split(" ")));
    if (vector) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    command.add("org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
    command.add("--configDir");
    command.add(folder.resolve("conf").toString());
    command.addAll(
        List.of(TaskExecutorProcessUtils.generateDynamicConfigsStr(spec).strip().split(" +")));
    command.add("-D");
    command.add("taskmanager.resource-id=" + name);
    command.addAll(metrics.arguments(name));
    taskManagers.put(name, JavaProcess.start(folder.resolve(name + ".log"), classPath, command));
  }

  /** SIGKILL to the JobManager. */
  public void killJobManager() {
    if (jobManager != null) {
      jobManager.kill();
    }
  }

  /** SIGKILL to a TaskManager. */
  public void killTaskManager(String name) {
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
          return taskManagers.containsKey(worker[0]);
        });
    return worker[0];
  }

  private String reportedWorkerOf(String job, String operator) throws Exception {
    for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
      if (vertex.path("name").asText().contains(operator)) {
        JsonNode detail = get("/jobs/" + job + "/vertices/" + vertex.path("id").asText());
        return detail.path("subtasks").path(0).path("taskmanager-id").asText();
      }
    }
    throw new IllegalStateException("no operator " + operator + " in " + job);
  }

  /** RUNNING, RESTARTING, FINISHED … */
  public String state(String job) throws Exception {
    return get("/jobs/" + job).path("state").asText();
  }

  /** Completed checkpoints. */
  public long checkpoints(String job, String kind) throws Exception {
    return get("/jobs/" + job + "/checkpoints").path("counts").path(kind).asLong();
  }

  /** A metric of a job. */
  public String metric(String job, String name) throws Exception {
    return get("/jobs/" + job + "/metrics?get=" + name).path(0).path("value").asText();
  }

  /** Stops a job with a savepoint; where it is. */
  public String stop(String job, Path savepoints) throws Exception {
    return stop(job, savepoints, false);
  }

  /** Ends a job as if its input had ended, after it has worked off what it has read. */
  public void drain(String job, Path savepoints) throws Exception {
    stop(job, savepoints, true);
  }

  private String stop(String job, Path savepoints, boolean drain) throws Exception {
    Map<String, Object> body = new HashMap<>();
    body.put("targetDirectory", savepoints.toUri().toString());
    body.put("drain", drain);
    String trigger =
        send(HttpRequest.newBuilder(uri("/jobs/" + job + "/stop"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        new ObjectMapper().writeValueAsString(body)))
                .build())
            .path("request-id")
            .asText();
    String[] location = new String[1];
    Waiting.until(
        "savepoint of " + job,
        () -> {
          JsonNode status = get("/jobs/" + job + "/savepoints/" + trigger);
          if (!status.path("status").path("id").asText().equals("COMPLETED")) {
            return false;
          }
          JsonNode operation = status.path("operation");
          if (operation.has("failure-cause")) {
            throw new IllegalStateException(operation.toString());
          }
          location[0] = operation.path("location").asText();
          return true;
        });
    return location[0];
  }

  /** Ends a job. */
  public void cancel(String job) throws Exception {
    send(
        HttpRequest.newBuilder(uri("/jobs/" + job))
            .method("PATCH", HttpRequest.BodyPublishers.noBody())
            .build());
    Waiting.until("end of " + job, () -> state(job).equals("CANCELED"));
  }

  /** HOST:PORT of the REST endpoint. */
  public String address() {
    return "localhost:" + restPort;
  }

  private URI uri(String path) {
    return URI.create("http://" + address() + path);
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException(request.uri() + " responds with " + response.statusCode());
    }
    return response.body().isEmpty()
        ? new ObjectMapper().createObjectNode()
        : new ObjectMapper().readTree(response.body());
  }

  @Override
  public void close() {
    for (JavaProcess worker : taskManagers.values()) {
      worker.kill();
    }
    killJobManager();
    zooKeeper.kill();
  }
}
