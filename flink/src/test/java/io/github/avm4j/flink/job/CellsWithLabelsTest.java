// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of mode cells whose labels come apart: its model is that of a plain loop, bit for bit. */
@Tag("cluster")
class CellsWithLabelsTest {
  private static final int ROWS = 2000;
  private static final int PLAN = 450;

  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

  private static boolean hasLabel(int i) {
    return i % 10 != 3;
  }

  private static String row(int i) {
    String[] cells = TestStream.line(i).split("[ :]");
    return "%d,%s,%s,%s,%d".formatted(i, cells[2], cells[4], cells[6], 1000L * i);
  }

  private static String label(int i) {
    return "%d,%s,%d".formatted(i, TestStream.line(i).split(" ")[0], 1000L * i + 5);
  }

  private static void produce(KafkaBroker broker) {
    try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      for (int i = 0; i < ROWS; i++) {
        send(producer, "points", row(i));
        if (hasLabel(i)) {
          send(producer, "verdicts", label(i));
        }
      }
      send(producer, "verdicts", "nobody,1,250000");
      send(producer, "points", "a row of its own kind");
    }
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String topic, String value) {
    var unused = producer.send(Topic.record(topic, "", value));
  }

  /**
   * Idle for an hour: where a busy machine leaves the reader of labels without a turn for half a
   * minute, rows would not wait for their labels.
   */
  private Path job(KafkaBroker broker, int planRows) throws IOException {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: late
        mode: cells
        parallelism: 2
        cells: {count: 6, plan-rows: %d}
        input:
          {topic: points, until: latest, parallelism: 1, idle: 1h,
           format: csv, columns: [id, a, b, c, at], id: id, time: at}
        labels:
          {topic: verdicts, until: latest, within: 1m, idle: 1h,
           format: csv, columns: [id, y, at], id: id, label: y, time: at}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: 500}
        output: {folder: "%s", predictions: predictions, bad-records: bad}
        checkpoints: {every: 200ms}
        kafka: {bootstrap.servers: "%s"}
        """
            .formatted(planRows, folder.resolve("models").toUri(), broker.address()));
  }

  @Test
  void isAPlainLoopOverTheRowsWithLabels() throws Exception {
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("broker"))) {
      broker.topics("points", "verdicts", "predictions", "bad");
      produce(broker);
      IOException tooFew =
          assertThrows(
              IOException.class,
              () ->
                  PlanStep.add(StreamConfig.read(job(broker, 2 * ROWS)), Launch.NEW, out).cells());
      assertTrue(tooFew.getMessage().contains("labels for 1800 rows, fewer"), tooFew.getMessage());

      Path job = job(broker, PLAN);
      assertEquals(0, StreamMain.run(new String[] {"run", job.toString()}, out));
      StreamConfig config = StreamConfig.read(job);
      List<Example> labelled = labelled(config);
      CellStart start = CellStart.read(Files.readAllBytes(folder.resolve("late.plan")));
      CellStart expected =
          CellStart.makeJoined(config.start(), labelled.subList(0, PLAN), 6, start.joined());
      assertArrayEquals(expected.toBytes(), start.toBytes(), "the plan's rows");
      assertEquals(
          List.of(PLAN, PLAN), start.joined().values().stream().map(o -> o.length).toList());
      Path models = folder.resolve("models");
      Path newest = models.resolve(Files.readString(models.resolve("late.latest")).strip());
      assertArrayEquals(loop(config, start.plan(), labelled), Files.readAllBytes(newest));
      everyOtherRecordIsPredictedOrNamedOnce(broker, labelled.size());
      joinsWhateverTheOrder(broker);
    }
  }

  private static List<Example> labelled(StreamConfig config) throws IOException {
    RecordFormat format = config.input().format(config.start(), false);
    List<Example> labelled = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      if (hasLabel(i)) {
        byte[] row = row(i).getBytes(StandardCharsets.UTF_8);
        Example one =
            Objects.requireNonNull(
                format.parse(new RawRecord("points-0", i, new byte[] {}, row, 0)).example());
        labelled.add(one.withLabel(TestStream.CLASSES.indexOf(label(i).split(",")[1])));
      }
    }
    return labelled;
  }

  /** The file that a plain loop over the rows would publish. */
  private static byte[] loop(StreamConfig config, CellPlan plan, List<Example> rows)
      throws IOException {
    AutoLearner blank = (AutoLearner) Learner.fromBytes(config.start().blank());
    List<CellLearner> learners = new ArrayList<>();
    for (int cell = 0; cell < plan.size(); cell++) {
      learners.add(new CellLearner(plan, blank.settings()));
    }
    for (int k = 0; k < rows.size(); k++) {
      Example row = rows.get(k);
      CellLearner learner = learners.get(plan.cellOf(row.x()));
      if (k < PLAN) {
        learner.begin(row.x(), row.y(), row.weight());
      } else {
        learner.predictThenLearn(row.x(), row.y(), row.weight());
      }
    }
    List<@Nullable Model> models = new ArrayList<>();
    learners.forEach(learner -> models.add(learner.model()));
    RowModel like = RowModel.read(config.start().file());
    Model whole = plan.model(models, rows.size());
    return new RowModel(like.schema(), like.target(), like.classNames(), whole).toBytes();
  }

  private static void everyOtherRecordIsPredictedOrNamedOnce(KafkaBroker broker, int labelled)
      throws Exception {
    try (Topic predictions = new Topic(broker.address(), "predictions");
        Topic bad = new Topic(broker.address(), "bad")) {
      Waiting.until("all predictions", () -> predictions.poll().size() >= labelled - PLAN);
      assertEquals(labelled - PLAN, predictions.poll().size());
      Waiting.until("all bad records", () -> bad.poll().size() >= ROWS / 10 + 2);
      Map<String, Integer> reasons = new TreeMap<>();
      bad.poll()
          .forEach(
              record ->
                  reasons.merge(Topic.header(record, "reason").split(" ")[0], 1, Integer::sum));
      assertEquals(ROWS / 10, reasons.remove("no"), "rows without a label, also before the plan");
      assertEquals(1, reasons.remove("a"), "a label without a row");
      assertEquals(List.of(1), List.copyOf(reasons.values()), "the bad row");
    }
  }

  /** Rows and labels in different random orders; each record that is named was joined. */
  private void joinsWhateverTheOrder(KafkaBroker broker) throws Exception {
    broker.topics("mixed-rows", "mixed-labels");
    Random random = new Random(7);
    List<Integer> rows = new ArrayList<>(IntStream.range(0, 1000).boxed().toList());
    Collections.shuffle(rows, random);
    List<Integer> labels = new ArrayList<>(rows.stream().filter(i -> hasLabel(i)).toList());
    Collections.shuffle(labels, random);
    try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      rows.forEach(i -> send(producer, "mixed-rows", row(i)));
      labels.forEach(i -> send(producer, "mixed-labels", label(i)));
    }
    String yaml =
        Files.readString(folder.resolve("job.yaml"))
            .replace("topic: points", "topic: mixed-rows")
            .replace("topic: verdicts", "topic: mixed-labels")
            .replace("within: 1m", "within: 1d");
    StreamConfig config = StreamConfig.parse(yaml, folder);
    try (PlanJoin join = new PlanJoin(config, config.labels(), 300, out)) {
      Set<String> ids = new HashSet<>();
      for (Example one : join.read()) {
        ids.add(one.id());
        String label = label(Integer.parseInt(one.id())).split(",")[1];
        assertEquals(TestStream.CLASSES.indexOf(label), (int) one.y());
      }
      assertEquals(300, ids.size());
      assertEquals(ids, named(join, "mixed-rows-0", rows));
      assertEquals(ids, named(join, "mixed-labels-0", labels));
    }
  }

  private static Set<String> named(PlanJoin join, String source, List<Integer> records) {
    return LongStream.of(join.used().get(source))
        .mapToObj(offset -> records.get((int) offset).toString())
        .collect(Collectors.toSet());
  }

  @Test
  void filesAreRefused() {
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () ->
                StreamConfig.parse(
                    """
                    name: late
                    mode: cells
                    input: {format: libsvm, files: ["file:///rows"]}
                    labels: {topic: verdicts, format: csv, columns: [id, y], id: id, label: y}
                    learner: {classes: ["1", "-1"]}
                    output: {folder: "file:///models"}
                    kafka: {bootstrap.servers: "localhost:1"}
                    """,
                    null));
    assertTrue(refused.getMessage().contains("leave out input.files"), refused.getMessage());
  }
}
