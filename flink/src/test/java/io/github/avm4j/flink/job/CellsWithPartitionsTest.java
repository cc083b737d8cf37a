// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.operator.CellLoop;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job of mode cells whose rows and labels come in several partitions each, to several readers and
 * workers. The order of rows is not decided then; each is still learned from once, with its label.
 */
@Tag("cluster")
class CellsWithPartitionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ROWS = 6000;
  private static final int PLAN = 450;
  private static final int POINTS = 4;
  private static final int VERDICTS = 3;

  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

  /** Number of the row that each record is of, by partition and offset. */
  private final Map<String, List<Integer>> sent = new HashMap<>();

  private static boolean hasLabel(int i) {
    return i % 10 != 3;
  }

  private static String row(int i) {
    String[] cells = TestStream.line(i).split("[ :]");
    return "%d,%s,%s,%s,%d".formatted(i, cells[2], cells[4], cells[6], 1000L * i);
  }

  private static String label(int i) {
    return TestStream.line(i).split(" ")[0];
  }

  /** Up to 20 s after the row. */
  private static long labelTime(int i) {
    return 1000L * (i + i % 20) + 5;
  }

  /** Either topic is in the order of time, spread over its partitions at random. */
  private void produce(KafkaBroker broker) {
    Random random = new Random(5);
    try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      for (int i = 0; i < ROWS; i++) {
        send(producer, "points", random.nextInt(POINTS), i, row(i));
      }
      IntStream.range(0, ROWS)
          .filter(CellsWithPartitionsTest::hasLabel)
          .boxed()
          .sorted(Comparator.comparingLong(CellsWithPartitionsTest::labelTime))
          .forEach(
              i -> {
                String text = "%d,%s,%d".formatted(i, label(i), labelTime(i));
                send(producer, "verdicts", random.nextInt(VERDICTS), i, text);
              });
    }
  }

  private void send(
      KafkaProducer<byte[], byte[]> producer, String topic, int partition, int i, String value) {
    sent.computeIfAbsent(topic + "-" + partition, source -> new ArrayList<>()).add(i);
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    var unused = producer.send(new ProducerRecord<>(topic, partition, new byte[] {}, bytes));
  }

  /** Flink looks at the times of records as often as it can. */
  private Path job(KafkaBroker broker) throws IOException {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: spread
        mode: cells
        parallelism: 2
        cells: {count: 6, plan-rows: %d}
        input:
          {topic: points, until: latest, parallelism: 2, idle: 1h,
           format: csv, columns: [id, a, b, c, at], id: id, time: at}
        labels:
          {topic: verdicts, until: latest, parallelism: 2, within: 1m, idle: 1h,
           format: csv, columns: [id, y, at], id: id, label: y, time: at}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: 500}
        output: {folder: "%s", predictions: predictions, bad-records: bad}
        checkpoints: {every: 200ms}
        flink: {pipeline.auto-watermark-interval: 1 ms}
        kafka: {bootstrap.servers: "%s"}
        """
            .formatted(PLAN, folder.resolve("models").toUri(), broker.address()));
  }

  @Test
  void everyRowWithALabelIsLearnedFromOnce() throws Exception {
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("broker"))) {
      broker.topic("points", POINTS, Map.of());
      broker.topic("verdicts", VERDICTS, Map.of());
      broker.topics("predictions", "bad");
      produce(broker);
      Path job = job(broker);
      assertEquals(0, StreamMain.run(new String[] {"run", job.toString()}, out));
      rowsWithoutLabelAreNamedOnce(broker);
      CellStart start = CellStart.read(Files.readAllBytes(folder.resolve("spread.plan")));
      Set<Integer> planned = joined(start, "points");
      assertEquals(PLAN, planned.size());
      assertEquals(planned, joined(start, "verdicts"), "the plan's rows with their labels");

      List<JsonNode> predictions = predictions(broker);
      Set<Integer> predicted = new TreeSet<>();
      for (JsonNode one : predictions) {
        predicted.add(one.path("id").asInt());
        assertEquals(label(one.path("id").asInt()), one.path("label").asText());
      }
      Set<Integer> expected = new TreeSet<>();
      IntStream.range(0, ROWS).filter(i -> hasLabel(i)).forEach(expected::add);
      expected.removeAll(planned);
      assertEquals(expected, predicted);
      assertEquals(expected.size(), predictions.size(), "each once");
      isAPlainLoopInTheOrderOfVersions(StreamConfig.read(job), start, predictions);
    }
  }

  /** The rows of a topic that the plan was made of. */
  private Set<Integer> joined(CellStart start, String topic) throws IOException {
    Set<Integer> rows = new TreeSet<>();
    start
        .joined()
        .forEach(
            (source, offsets) -> {
              for (long offset : source.startsWith(topic + "-") ? offsets : new long[] {}) {
                rows.add(sent.get(source).get((int) offset));
              }
            });
    return rows;
  }

  private static List<JsonNode> predictions(KafkaBroker broker) throws Exception {
    int last = ROWS - ROWS / 10 - PLAN;
    List<JsonNode> predictions = new ArrayList<>();
    try (Topic topic = new Topic(broker.address(), "predictions")) {
      Waiting.until("all predictions", () -> topic.poll().size() >= last);
      for (ConsumerRecord<byte[], byte[]> one : topic.poll()) {
        predictions.add(JSON.readTree(one.value()));
      }
    }
    return predictions;
  }

  private void rowsWithoutLabelAreNamedOnce(KafkaBroker broker) throws Exception {
    Map<String, Integer> reasons = new TreeMap<>();
    Set<Integer> named = new TreeSet<>();
    try (Topic bad = new Topic(broker.address(), "bad")) {
      Waiting.until("all bad records", () -> bad.poll().size() >= ROWS / 10);
      for (ConsumerRecord<byte[], byte[]> one : bad.poll()) {
        reasons.merge(Topic.header(one, "reason"), 1, Integer::sum);
        int offset = Integer.parseInt(Topic.header(one, "offset"));
        named.add(sent.get(Topic.header(one, "source")).get(offset));
      }
    }
    assertEquals(Map.of("no label came in time", ROWS / 10), reasons);
    assertEquals(ROWS / 10, named.size());
    assertEquals(List.of(), named.stream().filter(i -> hasLabel(i)).toList());
  }

  /**
   * A prediction's version is the number of rows that its cell's learner had learned from in the
   * job: these orders decide the model, bit for bit.
   */
  private void isAPlainLoopInTheOrderOfVersions(
      StreamConfig config, CellStart start, List<JsonNode> predictions) throws Exception {
    RecordFormat format = config.input().format(config.start(), false);
    CellLoop loop = new CellLoop(start);
    Map<Integer, Integer> learned = new TreeMap<>();
    predictions.sort(Comparator.comparingLong(one -> one.path("version").asLong()));
    for (JsonNode one : predictions) {
      int i = one.path("id").asInt();
      byte[] text = row(i).getBytes(StandardCharsets.UTF_8);
      Example row =
          Objects.requireNonNull(
                  format.parse(new RawRecord("points", i, new byte[] {}, text, 0)).example())
              .withLabel(TestStream.CLASSES.indexOf(label(i)));
      int before = learned.merge(loop.cellOf(row), 1, Integer::sum) - 1;
      assertEquals(before, one.path("version").asInt(), "no version of a cell twice or left out");
      int predicted = TestStream.CLASSES.indexOf(one.path("prediction").asText());
      assertEquals(predicted, (int) loop.learn(row));
    }
    Path models = folder.resolve("models");
    Path newest = models.resolve(Files.readString(models.resolve("spread.latest")).strip());
    assertArrayEquals(loop.file(PLAN + predictions.size()), Files.readAllBytes(newest));
  }
}
