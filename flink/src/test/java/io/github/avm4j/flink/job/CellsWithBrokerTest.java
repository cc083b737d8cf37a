// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.sql.SqlExample;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of mode cells on a topic: the plan takes the first rows, the job all others. */
@Tag("cluster")
class CellsWithBrokerTest {
  private static final int OF_ONE_CELL = 1200;

  private static Path job(Path folder, KafkaBroker broker, String until) throws Exception {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: apart
        mode: cells
        parallelism: 2
        cells: {count: 6, plan-rows: 450, publish: parts}
        input: {format: libsvm, topic: rows, until: %s}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: 500}
        output: {models: models, folder: "%s", predictions: predictions}
        checkpoints: {every: 200ms}
        kafka: {bootstrap.servers: "%s"}
        """
            .formatted(until, folder.resolve("models").toUri(), broker.address()));
  }

  @Test
  void waitsForThePlansRowsAndLearnsFromAllOthersOnce(@TempDir Path folder) throws Exception {
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("broker"))) {
      broker.topic("rows", 2, Map.of());
      broker.topics("predictions");
      broker.topic("models", 2, Map.of("cleanup.policy", "compact"));
      Topic.write(broker.address(), "rows", LongStream.range(0, 300));
      StreamConfig forever = StreamConfig.read(job(folder, broker, "forever"));
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
      CompletableFuture<CellStart> made =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return PlanStep.add(forever, Launch.NEW, out).cells();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      Waiting.until(
          "it waits", () -> said.toString(StandardCharsets.UTF_8).contains("waits for more"));
      Topic.write(broker.address(), "rows", LongStream.range(300, 3000));
      CellStart start = made.get();
      assertEquals(450, start.ends().values().stream().mapToLong(one -> one).sum());
      Topic.write(broker.address(), "rows", ofOneCell(start.plan()));
      refusesATopicThatIsNotCompacted(job(folder, broker, "latest"), out);
      Path latest = job(folder, broker, "latest");
      assertEquals(0, StreamMain.run(new String[] {"run", latest.toString()}, out));
      assertArrayEquals(start.toBytes(), Files.readAllBytes(folder.resolve("apart.plan")));
      Path models = folder.resolve("models");
      Path newest = models.resolve(Files.readString(models.resolve("apart.latest")).strip());
      int rows = 3000 + OF_ONE_CELL;
      byte[] whole = RowModel.read(newest).toBytes();
      assertEquals(rows, RowModel.read(whole).model().provenance().instances());
      onlyChangedCellsAreSent(broker, whole);
      assertArrayEquals(whole, SqlExample.newest(broker, "models", "apart"));
      try (Topic predictions = new Topic(broker.address(), "predictions")) {
        Waiting.until("all predictions", () -> predictions.poll().size() >= rows - 450);
        assertTrue(
            predictions.poll().size() == rows - 450, "each row after the plan is predicted once");
      }
      aNewPlanEndsThePartsOfTheOldOne(broker, latest, out);
    }
  }

  private static void refusesATopicThatIsNotCompacted(Path job, PrintStream out) throws Exception {
    Files.writeString(job, Files.readString(job).replace("models: models", "models: predictions"));
    ConfigException refused =
        assertThrows(
            ConfigException.class, () -> StreamMain.run(new String[] {"run", job.toString()}, out));
    assertTrue(refused.getMessage().contains("predictions has cleanup.policy=delete"));
  }

  /** Later rows of one cell: no other cell changes for two publications. */
  private static LongStream ofOneCell(CellPlan plan) {
    return LongStream.iterate(3000, i -> i + 1)
        .filter(i -> plan.cellOf(vector(TestStream.line(i))) == 2)
        .limit(OF_ONE_CELL);
  }

  private static FeatureVector vector(String line) {
    double[] x = new double[3];
    String[] words = line.split(" ");
    Arrays.setAll(x, j -> Double.parseDouble(words[j + 1].substring(2)));
    return FeatureVector.sparse(new int[] {0, 1, 2}, x);
  }

  /** The topic's parts make the folder's model; a version of one cell takes few bytes. */
  private static void onlyChangedCellsAreSent(KafkaBroker broker, byte[] whole) throws Exception {
    CellAssembly<String> assembly = new CellAssembly<>(1 << 26);
    byte[] newest = {};
    long least = Long.MAX_VALUE;
    long sent = 0;
    try (Topic models = new Topic(broker.address(), "models")) {
      int seen = 0;
      Waiting.until("the last version", () -> isLast(models.poll(), whole));
      for (ConsumerRecord<byte[], byte[]> record : models.poll()) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        sent += record.serializedKeySize() + Math.max(0, record.serializedValueSize());
        if (key.startsWith("apart/")) {
          assembly.part(key.substring("apart/".length()), record.value());
        } else {
          assembly.manifest(CellManifest.read(record.value()), key);
          var made = assembly.take();
          assertTrue(made != null, "version " + ++seen + " lacks " + assembly.missing());
          newest = made.rows().toBytes();
          least = Math.min(least, sent);
          sent = 0;
        }
      }
    }
    assertArrayEquals(whole, newest);
    assertTrue(3 * least < whole.length, least + " bytes for a cell of " + whole.length);
  }

  /** After a second job, which begins with another plan, compaction leaves that plan's parts. */
  private static void aNewPlanEndsThePartsOfTheOldOne(KafkaBroker broker, Path job, PrintStream out)
      throws Exception {
    Files.delete(job.resolveSibling("apart.plan"));
    Files.writeString(job, Files.readString(job).replace("count: 6", "count: 5"));
    assertEquals(0, StreamMain.run(new String[] {"run", job.toString(), "--new"}, out));
    byte[] start = Files.readAllBytes(job.resolveSibling("apart.plan"));
    String plan = Long.toHexString(CellStart.read(start).fingerprint());
    Map<String, byte[]> left = new TreeMap<>();
    try (Topic models = new Topic(broker.address(), "models")) {
      Waiting.until("the last version of " + plan, () -> isLast(models.poll(), plan));
      for (ConsumerRecord<byte[], byte[]> record : models.poll()) {
        left.remove(new String(record.key(), StandardCharsets.UTF_8));
        if (record.value() != null) {
          left.put(new String(record.key(), StandardCharsets.UTF_8), record.value());
        }
      }
    }
    assertTrue(left.containsKey("apart/" + plan + "/plan-0"));
    for (String key : left.keySet()) {
      assertTrue(key.equals("apart") || key.startsWith("apart/" + plan + "/"), key + " is left");
    }
  }

  private static boolean isLast(List<ConsumerRecord<byte[], byte[]>> records, String plan)
      throws InvalidModelException {
    if (records.isEmpty() || records.get(records.size() - 1).value() == null) {
      return false;
    }
    ConsumerRecord<byte[], byte[]> last = records.get(records.size() - 1);
    return Topic.header(last, "instances").equals(Integer.toString(3000 + OF_ONE_CELL))
        && CellManifest.isManifest(last.value())
        && CellManifest.read(last.value()).plan().equals(plan);
  }

  private static boolean isLast(List<ConsumerRecord<byte[], byte[]>> records, byte[] whole)
      throws InvalidModelException {
    if (records.isEmpty()) {
      return false;
    }
    ConsumerRecord<byte[], byte[]> last = records.get(records.size() - 1);
    long instances = RowModel.read(whole).model().provenance().instances();
    return Topic.header(last, "instances").equals(Long.toString(instances))
        && CellManifest.isManifest(last.value());
  }
}
