// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.cluster.KafkaBroker;
import io.github.avm4j.flink.cluster.Topic;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of mode cells on a topic: the plan takes the first rows, the job all others. */
@Tag("cluster")
class CellsWithBrokerTest {
  private static void produce(KafkaBroker broker, long from, long to) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      for (long i = from; i < to; i++) {
        sent.add(producer.send(Topic.record("rows", Long.toString(i), TestStream.line(i))));
      }
    }
    for (Future<RecordMetadata> one : sent) {
      one.get();
    }
  }

  private static Path job(Path folder, KafkaBroker broker, String until) throws Exception {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: apart
        mode: cells
        shards: 2
        cells: {count: 6, plan-rows: 450}
        input: {format: libsvm, topic: rows, until: %s}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        merge: {every: 500}
        output: {folder: "%s", answers: answers}
        checkpoints: {every: 200 ms}
        kafka: {bootstrap.servers: "%s"}
        """
            .formatted(until, folder.resolve("models").toUri(), broker.address()));
  }

  @Test
  void waitsForThePlansRowsAndLearnsFromAllOthersOnce(@TempDir Path folder) throws Exception {
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("broker"))) {
      broker.topic("rows", 2, Map.of());
      broker.topic("answers", 1, Map.of());
      produce(broker, 0, 300);
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
      produce(broker, 300, 3000);
      CellStart start = made.get();
      assertEquals(450, start.ends().values().stream().mapToLong(one -> one).sum());
      Path latest = job(folder, broker, "latest");
      assertEquals(0, StreamMain.run(new String[] {"run", latest.toString()}, out));
      assertArrayEquals(start.toBytes(), Files.readAllBytes(folder.resolve("apart.plan")));
      Path models = folder.resolve("models");
      Path newest = models.resolve(Files.readString(models.resolve("apart.latest")).strip());
      assertEquals(3000, RowModel.read(newest).model().provenance().instances());
      try (Topic answers = new Topic(broker.address(), "answers")) {
        Waiting.until("all answers", () -> answers.poll().size() >= 2550);
        assertTrue(answers.poll().size() == 2550, "each row after the plan is answered once");
      }
    }
  }
}
