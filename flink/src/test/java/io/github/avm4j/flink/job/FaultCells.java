// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.operator.CellLoop;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.sink.KafkaTopics;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A job of mode cells, whose plan is made and which is submitted by processes that may be killed.
 */
final class FaultCells implements AutoCloseable {
  /** Rows of the plan. */
  static final int PLAN = 2000;

  private static final int CELLS = 4;

  private final String name;
  private final FaultRows rows;
  private final KafkaBroker broker;
  private final FlinkProcesses flink;
  private final List<String> classPath;
  private final Path folder;
  private final Path file;
  private final Topic models;
  private final Topic predictions;
  private final Topic bad;
  private String job = "";
  private int starts;

  FaultCells(
      String name,
      FaultRows rows,
      Path folder,
      Path checkpoints,
      KafkaBroker broker,
      FlinkProcesses flink,
      List<String> classPath)
      throws Exception {
    this.name = name;
    this.rows = rows;
    this.broker = broker;
    this.flink = flink;
    this.classPath = classPath;
    this.folder = Files.createDirectories(folder);
    broker.topics(name + "-models", name + "-predictions", name + "-bad");
    models = new Topic(broker.address(), name + "-models");
    predictions = new Topic(broker.address(), name + "-predictions");
    bad = new Topic(broker.address(), name + "-bad");
    file =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            name: %1$s
            mode: cells
            parallelism: 2
            cells: {count: %6$d, plan-rows: %5$d}
            input: {topic: %2$s, format: libsvm, parallelism: 1}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            publish: {every: 1000}
            kafka: {bootstrap.servers: "%3$s", default.api.timeout.ms: 300000}
            output: {models: %1$s-models, predictions: %1$s-predictions, bad-records: %1$s-bad}
            checkpoints: {every: 500ms, folder: "%4$s"}
            flink: {restart-strategy.exponential-delay.max-backoff: 1 s}
            """
                .formatted(
                    name, rows.topic(), broker.relayedAddress(), checkpoints.toUri(), PLAN, CELLS));
  }

  String job() {
    return job;
  }

  /** The file of the plan. */
  Path plan() {
    return folder.resolve(name + ".plan");
  }

  /** Starts a process that makes the plan, if there is none, and submits the job. */
  JavaProcess start() throws IOException {
    Path log = folder.resolve("start-" + ++starts + ".log");
    List<String> arguments = List.of("submit", file.toString(), flink.address());
    return JavaProcess.start(log, classPath, JavaProcess.vector(), StreamMain.class, arguments);
  }

  /** Starts one that nobody kills, unless one that was killed had submitted the job already. */
  void submit() throws Exception {
    if (flink.jobs(name).isEmpty()) {
      assertEquals(0, start().awaitExit());
    }
    Waiting.until("one job " + name, () -> flink.jobs(name).size() == 1);
    job = flink.jobs(name).get(0);
    Waiting.until("running job", () -> flink.state(job).equals("RUNNING"));
  }

  /** The plan that is there is that of the first rows, bit for bit. */
  void checkPlan() throws Exception {
    assertArrayEquals(expected().start.toBytes(), Files.readAllBytes(plan()));
  }

  /** Waits for the predictions of all rows up to {@code n}: none is missing, none comes twice. */
  void awaitPredictions(long n) throws Exception {
    Waiting.until(
        (n - PLAN) + " predictions of " + name, () -> predictions.poll().size() >= n - PLAN);
    assertEquals(n - PLAN, predictions.poll().size());
  }

  /** Ends the job after row {@code n}: all that it published is what a plain loop gives. */
  void check(long n, Path savepoints) throws Exception {
    awaitPredictions(n);
    flink.drain(job, savepoints);
    Expected expected = expected();
    assertArrayEquals(expected.start.toBytes(), Files.readAllBytes(plan()), "the plan stays");
    assertEquals(n - PLAN, expected.rows.size());
    Waiting.until("bad records of " + name, () -> bad.poll().size() >= expected.bad);
    assertEquals(expected.bad, bad.poll().size());
    CellLoop loop = new CellLoop(expected.start);
    checkPredictions(loop, expected.rows);
    Waiting.until("model of " + n + " rows of " + name, () -> instances() >= n);
    List<ConsumerRecord<byte[], byte[]>> versions = models.poll();
    for (int v = 0; v < versions.size(); v++) {
      assertEquals(Integer.toString(v + 1), Topic.header(versions.get(v), "version"));
      String lineage = Topic.header(versions.get(0), "lineage");
      assertEquals(lineage, Topic.header(versions.get(v), "lineage"));
    }
    byte[] model = versions.get(versions.size() - 1).value();
    assertArrayEquals(loop.file(n), model);
    assertTrue(RowModel.read(model).model().parts().size() > 1, "cells lead");
  }

  private long instances() {
    List<ConsumerRecord<byte[], byte[]>> all = models.poll();
    return all.isEmpty() ? 0 : Long.parseLong(Topic.header(all.get(all.size() - 1), "instances"));
  }

  /** Each row once, in order within its cell, predicted as the loop does. */
  private void checkPredictions(CellLoop loop, List<Example> after) throws IOException {
    Map<String, String> expected = new HashMap<>();
    Map<String, Integer> cells = new HashMap<>();
    for (Example row : after) {
      cells.put(row.id(), loop.cellOf(row));
      expected.put(row.id(), TestStream.CLASSES.get((int) loop.learn(row)));
    }
    ObjectMapper json = new ObjectMapper();
    Map<Integer, Integer> last = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : predictions.poll()) {
      JsonNode prediction = json.readTree(record.value());
      String id = prediction.path("id").asText();
      assertEquals(expected.remove(id), prediction.path("prediction").asText(), "row " + id);
      int before = last.merge(cells.get(id), Integer.parseInt(id), (a, b) -> b > a ? b : -1);
      assertTrue(before >= 0, "row " + id + " in its order");
    }
    assertEquals(Map.of(), expected, "all are predicted");
  }

  /** What a plain loop over the topic's records finds: a plan, then rows and bad records. */
  private record Expected(CellStart start, List<Example> rows, int bad) {}

  private Expected expected() throws Exception {
    StreamConfig config = StreamConfig.read(file);
    RecordFormat format = config.input().format(config.start(), true);
    List<Example> good = new ArrayList<>();
    long end = 0;
    int refused = 0;
    for (ConsumerRecord<byte[], byte[]> record : input()) {
      Example example = format.parse(KafkaTopics.raw(record)).example();
      if (example != null) {
        good.add(example);
        end = good.size() == PLAN ? record.offset() + 1 : end;
      } else {
        refused += good.size() < PLAN ? 0 : 1;
      }
    }
    Map<String, Long> ends = Map.of(rows.topic() + "-0", end);
    CellStart start = CellStart.make(config.start(), good.subList(0, PLAN), CELLS, ends);
    return new Expected(start, good.subList(PLAN, good.size()), refused);
  }

  private List<ConsumerRecord<byte[], byte[]>> input() throws Exception {
    try (Topic topic = new Topic(broker.address(), rows.topic())) {
      long all = rows.produced() + rows.bad();
      Waiting.until("all rows", () -> topic.poll().size() >= all);
      return topic.poll();
    }
  }

  @Override
  public void close() {
    models.close();
    predictions.close();
    bad.close();
  }
}
