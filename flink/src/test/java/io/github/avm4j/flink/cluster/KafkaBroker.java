// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

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
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** A real broker, KRaft, in a process of its own; killed and started again it keeps its data. */
public final class KafkaBroker implements AutoCloseable {
  private final Path folder;
  private final int port = freePort();
  private final Relay network;
  private @Nullable JavaProcess process;

  /** Makes its storage in {@code folder} and starts it. */
  public KafkaBroker(Path folder) throws Exception {
    this.folder = Files.createDirectories(folder);
    int controller = freePort();
    int relayed = freePort();
    network = new Relay(relayed);
    Files.writeString(
        folder.resolve("server.properties"),
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@localhost:%d
        listeners=PLAINTEXT://localhost:%d,RELAYED://localhost:%d,CONTROLLER://localhost:%d
        advertised.listeners=PLAINTEXT://localhost:%d,RELAYED://localhost:%d
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,RELAYED:PLAINTEXT,CONTROLLER:PLAINTEXT
        log.dirs=%s
        num.partitions=1
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        transaction.state.log.num.partitions=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        group.initial.rebalance.delay.ms=0
        """
            .formatted(
                controller,
                port,
                relayed,
                controller,
                port,
                network.port(),
                folder.resolve("data")));
    JavaProcess.start(
            folder.resolve("format.log"),
            classPath(),
            List.of(
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "kafka.tools.StorageTool",
                "format",
                "-t",
                Uuid.randomUuid().toString(),
                "-c",
                folder.resolve("server.properties").toString()))
        .requireSuccess();
    start();
  }

  /** This process's class path, with the client that belongs to the broker (see the pom). */
  private static List<String> classPath() throws IOException {
    List<String> entries = new ArrayList<>();
    try (Stream<Path> own = Files.list(Path.of("target", "broker"))) {
      own.forEach(jar -> entries.add(jar.toAbsolutePath().toString()));
    }
    for (String entry : JavaProcess.classPath()) {
      if (!Path.of(entry).getFileName().toString().startsWith("kafka-clients")) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /**
   * A port that nobody uses now. It is below those that Linux gives to whoever asks for any: a
   * client of ours, even, that connects to a server which was killed.
   */
  public static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody uses it.
      }
    }
  }

  /** Starts it, again. */
  public void start() throws Exception {
    process =
        JavaProcess.start(
            folder.resolve("broker.log"),
            classPath(),
            List.of(
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "kafka.Kafka",
                folder.resolve("server.properties").toString()));
    Waiting.until(
        "broker at " + address(),
        () -> {
          process.requireAlive();
          try (Admin admin = admin("5000")) {
            return !admin.describeCluster().nodes().get().isEmpty();
          }
        });
  }

  /** SIGKILL. */
  public void kill() {
    if (process != null) {
      process.kill();
    }
  }

  /** For bootstrap.servers. */
  public String address() {
    return "localhost:" + port;
  }

  /** The same for clients whose network can be cut. */
  public String relayedAddress() {
    return "localhost:" + network.port();
  }

  /** The network between the broker and clients of {@link #relayedAddress}. */
  public Relay network() {
    return network;
  }

  private Admin admin(String millis) {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", address());
    properties.put("default.api.timeout.ms", millis);
    properties.put("request.timeout.ms", millis);
    return Admin.create(properties);
  }

  /** Makes a topic. */
  public void topic(String name, int partitions, Map<String, String> options) throws Exception {
    topics(List.of(new NewTopic(name, partitions, (short) 1).configs(options)));
  }

  /** Makes topics of one partition. */
  public void topics(String... names) throws Exception {
    topics(Stream.of(names).map(name -> new NewTopic(name, 1, (short) 1)).toList());
  }

  private void topics(List<NewTopic> topics) throws Exception {
    try (Admin admin = admin(Long.toString(Waiting.PATIENCE.toMillis()))) {
      admin.createTopics(topics).all().get();
    }
  }

  @Override
  public void close() {
    kill();
    try {
      network.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
