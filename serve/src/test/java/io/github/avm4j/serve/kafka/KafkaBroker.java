// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.kafka;

import io.github.avm4j.serve.RunningServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A real broker (KRaft) in a process of its own; stopped and started again it keeps its data. */
final class KafkaBroker implements AutoCloseable {
  private final Path folder;
  private final int port = freePort();
  private Process process;

  KafkaBroker(Path folder) throws Exception {
    this.folder = folder;
    int controller = freePort();
    Files.writeString(
        folder.resolve("server.properties"),
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@localhost:%d
        listeners=PLAINTEXT://localhost:%d,CONTROLLER://localhost:%d
        advertised.listeners=PLAINTEXT://localhost:%d
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
        log.dirs=%s
        num.partitions=1
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        """
            .formatted(controller, port, controller, port, folder.resolve("data")));
    int formatted =
        java("kafka.tools.StorageTool", "format", "-t", Uuid.randomUuid().toString(), "-c")
            .waitFor();
    if (formatted != 0) {
      throw new IllegalStateException(Files.readString(folder.resolve("broker.log")));
    }
    start();
  }

  private Process java(String... command) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp"));
    words.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    words.addAll(List.of(command));
    words.add(folder.resolve("server.properties").toString());
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    File log = folder.resolve("broker.log").toFile();
    return builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log)).start();
  }

  void start() throws Exception {
    process = java("kafka.Kafka");
    RunningServer.await(
        "broker at " + address(),
        () -> {
          try (Admin admin = admin()) {
            return !admin.describeCluster().nodes().get().isEmpty();
          } catch (ExecutionException e) {
            if (!process.isAlive()) {
              throw new IllegalStateException(Files.readString(folder.resolve("broker.log")), e);
            }
            return false;
          }
        });
  }

  /**
   * A port that nobody uses now. It is below those that Linux gives to whoever asks for any: a
   * client of ours, even, that connects to a server which was killed.
   */
  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody uses it.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  String address() {
    return "localhost:" + port;
  }

  Properties properties() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", address());
    properties.put("default.api.timeout.ms", "5000");
    properties.put("request.timeout.ms", "4000");
    return properties;
  }

  private Admin admin() {
    return Admin.create(properties());
  }

  void topic(String name) throws Exception {
    Properties patient = properties();
    patient.put("default.api.timeout.ms", "300000");
    patient.put("request.timeout.ms", "300000");
    try (Admin admin = Admin.create(patient)) {
      admin.createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(Map.of()))).all().get();
    }
    RunningServer.await(
        "topic " + name,
        () -> {
          try (Admin admin = admin()) {
            return admin.listTopics().names().get().contains(name);
          }
        });
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
