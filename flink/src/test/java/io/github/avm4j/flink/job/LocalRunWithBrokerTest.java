// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code avm stream run} with a real broker: labels apart, a clock gone wrong, a broker gone. */
@Tag("cluster")
class LocalRunWithBrokerTest {
  private static final long FIFTY_YEARS = 50L * 365 * 86_400_000;

  /** Bytes of a record that a request just takes, but not with the headers of a bad record. */
  private static final int LONGEST = 1_048_450;

  /** Longer than a transaction lives, and than the broker looks for such. */
  private static final long OUTAGE = 25_000;

  @TempDir Path folder;

  private KafkaBroker broker;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() throws Exception {
    broker = new KafkaBroker(folder.resolve("kafka"));
    producer = Topic.producer(broker.address());
  }

  @AfterEach
  void stop() {
    producer.close();
    broker.close();
  }

  private Path job() throws Exception {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: apart
        input:
          {topic: points, format: csv, columns: [id, a, b, c, at], id: id, time: at, idle: 1h}
        labels:
          {topic: verdicts, format: csv, columns: [id, y, at], id: id, label: y, time: at, within: 1m, idle: 1h}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: 500}
        output: {models: apart-models, bad-records: apart-bad}
        kafka: {bootstrap.servers: "%s"}
        checkpoints: {every: 500ms, folder: "%s"}
        """
            .formatted(broker.address(), folder.resolve("state").toUri()));
  }

  private void produce(long from, long to) {
    long now = System.currentTimeMillis() - 3_600_000;
    for (long i = from; i < to; i++) {
      String[] cells = TestStream.line(i).split("[ :]");
      String id = Long.toString(i);
      String point = "%s,%s,%s,%s,%d".formatted(id, cells[2], cells[4], cells[6], now + i);
      send("points", id, point);
      send("verdicts", id, "%s,%s,%d".formatted(id, cells[0], now + i));
    }
    producer.flush();
  }

  private void send(String topic, String key, String value) {
    var unused = producer.send(Topic.record(topic, key, value));
  }

  private static long instances(Topic models) {
    List<ConsumerRecord<byte[], byte[]>> all = models.poll();
    return all.isEmpty() ? 0 : Long.parseLong(Topic.header(all.get(all.size() - 1), "instances"));
  }

  @Test
  void learnsOnThroughARowFromTheFutureAndABrokerThatIsGone() throws Exception {
    Path log = folder.resolve("run.log");
    JavaProcess missing = JavaProcess.startHere(log, StreamMain.class, List.of("run", job() + ""));
    assertEquals(1, missing.awaitExit());
    String said = Files.readString(log);
    assertTrue(
        said.contains("has no topic points, verdicts, apart-models, apart-bad; create it"), said);
    assertTrue(said.lines().count() < 5, said);
    broker.topics("points", "verdicts", "apart-models", "apart-bad");
    refusesTransactionsThatTheBrokerRefuses();
    Path running = folder.resolve("running.log");
    JavaProcess process =
        JavaProcess.startHere(running, StreamMain.class, List.of("run", job().toString()));
    try (Topic models = new Topic(broker.address(), "apart-models");
        Topic bad = new Topic(broker.address(), "apart-bad")) {
      produce(0, 1000);
      Waiting.until("a model of 1000", () -> instances(models) >= 1000);
      String ahead = "x,1,2,3," + (System.currentTimeMillis() + FIFTY_YEARS);
      send("points", "x", ahead);
      String longest = "x".repeat(LONGEST);
      send("points", "y", longest);
      produce(1000, 2000);
      Waiting.until("a model of 2000", () -> instances(models) >= 2000);
      Waiting.until("the bad records", () -> bad.poll().size() == 2);
      ConsumerRecord<byte[], byte[]> record = bad.poll().get(0);
      assertEquals(ahead, new String(record.value(), UTF_8));
      assertEquals("points-0", Topic.header(record, "source"));
      assertEquals("1000", Topic.header(record, "offset"));
      assertTrue(Topic.header(record, "reason").contains("ahead of the clock"));
      ConsumerRecord<byte[], byte[]> cut = bad.poll().get(1);
      assertEquals(LONGEST, cut.value().length + Integer.parseInt(Topic.header(cut, "cut")));
      assertTrue(longest.startsWith(new String(cut.value(), UTF_8)));
      goneAndBack(running, models);
      process.requireAlive();
      process.kill();
      startedAgain(models);
    } finally {
      process.kill();
    }
  }

  /** The job would be restarted for ever. */
  private void refusesTransactionsThatTheBrokerRefuses() throws Exception {
    String longer =
        Files.readString(job()).replace("kafka: {", "kafka: {transaction.timeout.ms: 900001, ");
    String file = Files.writeString(folder.resolve("longer.yaml"), longer).toString();
    ConfigException refused =
        assertThrows(
            ConfigException.class, () -> StreamMain.run(new String[] {"run", file}, System.out));
    assertEquals(
        "kafka.transaction.timeout.ms must be at most 900000, the transaction.max.timeout.ms of"
            + " broker 1, was 900001",
        refused.getMessage());
  }

  /** Not from the beginning, which would publish all again, but from the retained checkpoint. */
  private void startedAgain(Topic models) throws Exception {
    Path log = folder.resolve("again.log");
    JavaProcess again =
        JavaProcess.startHere(log, StreamMain.class, List.of("run", job().toString()));
    assertEquals(2, again.awaitExit());
    String said = Files.readString(log);
    assertTrue(said.contains("apart has published version 6 of lineage "), said);
    JavaProcess onward =
        JavaProcess.startHere(
            folder.resolve("onward.log"),
            StreamMain.class,
            List.of("run", job().toString(), "--from", newestCheckpoint()));
    try {
      produce(3000, 4000);
      Waiting.until("a model of 4000", () -> instances(models) >= 4000);
    } finally {
      onward.kill();
    }
    Set<String> lineages = new HashSet<>();
    long version = 0;
    for (ConsumerRecord<byte[], byte[]> record : models.poll()) {
      lineages.add(Topic.header(record, "lineage"));
      long next = Long.parseLong(Topic.header(record, "version"));
      assertTrue(next > version, next + " after " + version);
      version = next;
    }
    assertEquals(1, lineages.size());
  }

  private String newestCheckpoint() throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .max(Comparator.comparing(file -> file.toFile().lastModified()))
          .orElseThrow()
          .getParent()
          .toUri()
          .toString();
    }
  }

  /** The job goes on once it is back, and has said little meanwhile. */
  private void goneAndBack(Path log, Topic models) throws Exception {
    long before = Files.readString(log).lines().count();
    broker.kill();
    Waiting.until("that it is said", () -> log(log).contains("avm stream: no broker answers at "));
    Thread.sleep(4000);
    long lines = Files.readString(log).lines().count() - before;
    assertTrue(lines < 100, lines + " lines in some 8 s: " + log);
    broker.start();
    produce(2000, 3000);
    Waiting.until("a model of 3000", () -> instances(models) >= 3000);
    Waiting.until(
        "that it is over", () -> log(log).contains(" answers at " + broker.address() + " again"));
    assertEquals(1, log(log).lines().filter(line -> line.contains("no broker answers")).count());
  }

  private static String log(Path log) throws Exception {
    return Files.readString(log);
  }

  /**
   * Kafka aborts what was written meanwhile; if the job then went on, its rows would count as read.
   * No row comes after the outage.
   */
  @Test
  @Tag("long") // most of a minute is the outage; CommitDeadlineTest holds what ends the attempt
  void nothingIsLostWhereCheckpointsFailForLongerThanATransactionLives() throws Exception {
    broker.topics("rows", "predictions", "bad");
    Path state = Files.createDirectories(folder.resolve("state"));
    Path file =
        Files.writeString(
            folder.resolve("outage.yaml"),
            """
            name: outage
            input: {topic: rows, format: csv, columns: [id, y, a, b, c], id: id, label: y}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            output: {predictions: predictions, bad-records: bad}
            kafka: {bootstrap.servers: "%s", transaction.timeout.ms: 10000}
            checkpoints: {every: 500ms, folder: "%s"}
            """
                .formatted(broker.address(), state.toUri()));
    JavaProcess process =
        JavaProcess.startHere(
            folder.resolve("outage.log"), StreamMain.class, List.of("run", file.toString()));
    try (Topic predictions = new Topic(broker.address(), "predictions");
        Topic bad = new Topic(broker.address(), "bad")) {
      rows(0, 1000);
      Waiting.until("predictions", () -> predictions.poll().size() == 990);
      Path away = Files.move(state, folder.resolve("away"));
      Files.createFile(state);
      rows(1000, 2000);
      Thread.sleep(OUTAGE);
      Files.delete(state);
      Files.move(away, state);
      Waiting.until("all predictions", () -> predictions.poll().size() == 1980);
      Waiting.until("all bad records", () -> bad.poll().size() == 20);
      process.requireAlive();
      long ids =
          predictions.poll().stream().map(r -> new String(r.key(), UTF_8)).distinct().count();
      assertEquals(1980, ids, "each once");
    } finally {
      process.kill();
    }
  }

  /** Every hundredth is bad. */
  private void rows(long from, long to) {
    for (long i = from; i < to; i++) {
      String[] cells = TestStream.line(i).split("[ :]");
      String row = "%s,%s,%s,%s,%s".formatted(i, cells[0], cells[2], cells[4], cells[6]);
      send("rows", Long.toString(i), i % 100 == 7 ? "poison" : row);
    }
    producer.flush();
  }
}
