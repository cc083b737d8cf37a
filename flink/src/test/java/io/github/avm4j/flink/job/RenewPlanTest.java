// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.learner.CellPlan;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code avm stream run --from SAVEPOINT --renew-plan} goes on from a savepoint of a running job,
 * with the newest rows up to the offsets that the job itself committed.
 */
@Tag("cluster")
class RenewPlanTest {
  private static final int PLAN = 450;
  private static final int EVEN = 1500;
  private static final int OF_ONE_CELL = 600;
  private static final int AFTER = 200;

  @TempDir Path folder;

  /** A job that {@code run} runs in this process. */
  private static final class Running {
    private static final Pattern LINE =
        Pattern.compile("running job ([0-9a-f]+) here, REST at localhost:([0-9]+)");

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> end;

    Running(String... args) {
      PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
      end =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return StreamMain.run(args, out);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
    }

    String said() {
      return said.toString(StandardCharsets.UTF_8);
    }

    void requireRunning() {
      assertTrue(!end.isDone(), () -> "ended: " + end + said());
    }

    /** Stops it with a savepoint; where that is. */
    String stop(Path savepoints, boolean drain) throws Exception {
      Matcher line = LINE.matcher(said());
      assertTrue(line.find(), said());
      Configuration options = new Configuration();
      options.setString("rest.address", "localhost");
      options.setString("rest.port", line.group(2));
      try (var client = new RestClusterClient<>(options, StandaloneClusterId.getInstance())) {
        JobID job = JobID.fromHexString(line.group(1));
        String savepoint =
            client
                .stopWithSavepoint(
                    job, drain, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                .get();
        assertEquals(0, end.get());
        return savepoint;
      }
    }
  }

  private Path job(KafkaBroker broker) throws Exception {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: moved
        mode: cells
        parallelism: 2
        cells: {count: 6, plan-rows: %d}
        input: {format: libsvm, topic: rows}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: 500}
        output: {models: models, predictions: predictions}
        checkpoints: {every: 200ms}
        kafka: {bootstrap.servers: "%s"}
        """
            .formatted(PLAN, broker.address()));
  }

  @Test
  void goesOnFromASavepointWithTheNewestRowsThatTheJobHasRead() throws Exception {
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("broker"))) {
      broker.topic("rows", 2, Map.of());
      broker.topics("predictions", "models");
      Topic.write(broker.address(), "rows", LongStream.range(0, EVEN));
      Path job = job(broker);
      Path plan = folder.resolve("moved.plan");
      try (Topic predictions = new Topic(broker.address(), "predictions")) {
        Running first = new Running("run", job.toString());
        awaitPredictions(first, predictions, EVEN - PLAN);
        byte[] before = Files.readAllBytes(plan);
        Topic.write(broker.address(), "rows", ofOneCell(CellStart.read(before).plan()));
        awaitPredictions(first, predictions, EVEN + OF_ONE_CELL - PLAN);
        Waiting.until("its offsets", () -> committed(broker) == EVEN + OF_ONE_CELL);
        String savepoint = first.stop(folder.resolve("savepoints"), false);

        StreamConfig config = StreamConfig.read(job);
        List<Long> read = offsets(RecentRecords.of(config.kafka(), "moved", "rows", PLAN));
        assertEquals(PLAN, read.size());
        Topic.write(broker.address(), "rows", LongStream.range(100_000, 100_000 + AFTER));
        assertEquals(read, offsets(RecentRecords.of(config.kafka(), "moved", "rows", PLAN)));
        List<Long> newest = offsets(RecentRecords.of(config.kafka(), "nobody", "rows", PLAN));
        assertTrue(newest.get(PLAN - 1) > read.get(PLAN - 1), "no group, so to the end");

        Running second = new Running("run", job.toString(), "--from", savepoint, "--renew-plan");
        awaitPredictions(second, predictions, EVEN + OF_ONE_CELL + AFTER - PLAN);
        assertTrue(second.said().contains("renewed it with the newest 450 rows"), second.said());
        renewed(before, plan, config, savepoint);
        second.stop(folder.resolve("savepoints"), true);
        eachRowIsPredictedOnceAndCounted(broker, predictions);
      }
    }
  }

  private static void awaitPredictions(Running job, Topic predictions, int count)
      throws InterruptedException {
    Waiting.until(
        count + " predictions",
        () -> {
          job.requireRunning();
          return predictions.poll().size() >= count;
        });
  }

  private static LongStream ofOneCell(CellPlan plan) {
    return LongStream.iterate(EVEN, i -> i + 1)
        .filter(i -> plan.cellOf(TestStream.features(i)) == 2)
        .limit(OF_ONE_CELL);
  }

  /** The sum of the offsets that the job's consumer group has committed. */
  private static long committed(KafkaBroker broker) {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", broker.address(), "group.id", "moved");
    try (var consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Set<TopicPartition> both =
          Set.of(new TopicPartition("rows", 0), new TopicPartition("rows", 1));
      return consumer.committed(both).values().stream()
          .filter(Objects::nonNull)
          .mapToLong(one -> one.offset())
          .sum();
    }
  }

  private static List<Long> offsets(List<RawRecord> records) {
    return records.stream().map(RawRecord::offset).toList();
  }

  private static void renewed(byte[] before, Path plan, StreamConfig config, String savepoint)
      throws Exception {
    CellStart renewed = CellStart.read(Files.readAllBytes(plan));
    CellStart former = CellStart.read(before);
    assertTrue(renewed.renewedCells() > 0);
    assertEquals(List.of(former.fingerprint()), renewed.former());
    String name = "moved.plan." + Long.toHexString(former.fingerprint());
    assertArrayEquals(before, Files.readAllBytes(plan.resolveSibling(name)));
    Launch again = new Launch(savepoint, "", 0);
    CellStart found = PlanStep.add(config, again, System.out).cells();
    assertArrayEquals(renewed.toBytes(), found.toBytes(), "as after a kill before the submission");
  }

  private static void eachRowIsPredictedOnceAndCounted(KafkaBroker broker, Topic predictions)
      throws Exception {
    int rows = EVEN + OF_ONE_CELL + AFTER;
    Set<String> ids = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> one : predictions.poll()) {
      ids.add(new String(one.key(), StandardCharsets.UTF_8));
    }
    assertEquals(rows - PLAN, predictions.poll().size());
    assertEquals(rows - PLAN, ids.size(), "each row once");
    try (Topic models = new Topic(broker.address(), "models")) {
      Waiting.until(
          "a model of all rows",
          () ->
              models.poll().stream()
                  .anyMatch(one -> Topic.header(one, "instances").equals("" + rows)));
      Set<String> lineages = new HashSet<>();
      long version = 0;
      for (ConsumerRecord<byte[], byte[]> one : models.poll()) {
        lineages.add(Topic.header(one, "lineage"));
        assertEquals(++version, Long.parseLong(Topic.header(one, "version")));
      }
      assertEquals(1, lineages.size());
    }
  }
}
