// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.flink.job.ServeDemo;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes a model of many cells in parts to a broker that a server follows, first all cells, then
 * a few, and prints bytes and the time until the server predicts by them. Arguments: cells, core
 * points per cell, features, cells that change, the launcher of {@code avm}.
 */
public final class PartedModelCost {
  private static final String PLAN = "c0";

  private final KafkaProducer<byte[], byte[]> producer;
  private final ServeDemo server;
  private final long[] digests;
  private final Model cell;
  private final List<byte[]> pieces;
  private long sent;

  private PartedModelCost(KafkaProducer<byte[], byte[]> producer, ServeDemo server, int[] sizes) {
    this.producer = producer;
    this.server = server;
    AutoLearner learner = learned(sizes[1], sizes[2]);
    this.cell = learner.snapshot();
    Random random = new Random(3);
    List<FeatureVector> rows =
        Stream.generate(() -> FeatureVector.dense(point(random, sizes[2])))
            .limit(2L * sizes[0])
            .toList();
    CellPlan plan = CellPlan.of(learner, rows, sizes[0]);
    this.digests = new long[plan.size()];
    RowModel start = new RowModel(Schema.numbered(), "", List.of("no", "yes"), plan.model());
    this.pieces = CellManifest.pieces(start.toBytes());
  }

  private static double[] point(Random random, int features) {
    return random.doubles(features).toArray();
  }

  private static AutoLearner learned(int points, int features) {
    AutoLearner learner =
        new AutoLearner(
            Avm.classifier().features(features).labels(0, 1).budget(points).cells(0).config());
    Random random = new Random(1);
    for (int t = 0; t < 20 * points; t++) {
      double[] x = point(random, features);
      learner.learn(FeatureVector.dense(x), random.nextInt(2));
    }
    return learner;
  }

  public static void main(String[] args) throws Exception {
    int[] sizes = new int[4];
    java.util.Arrays.setAll(sizes, i -> Integer.parseInt(args[i]));
    Path folder = JavaProcess.freshFolder("parted");
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("kafka"))) {
      broker.topics("models", "feedback");
      try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address());
          ServeDemo server =
              new ServeDemo(
                  Path.of(args[4]),
                  folder.resolve("serve"),
                  broker.address(),
                  "models",
                  "feedback")) {
        new PartedModelCost(producer, server, sizes).run(sizes[3]);
      }
    }
  }

  private void run(int few) throws Exception {
    System.out.printf("a cell has %d core points%n", cell.expansionSize());
    for (int piece = 0; piece < pieces.size(); piece++) {
      send("m/" + CellManifest.pieceKey(PLAN, piece), pieces.get(piece), 1);
    }
    publish(1, digests.length);
    for (int version = 2; version <= 4; version++) {
      publish(version, few);
    }
  }

  /** Changes so many cells and waits until the server predicts by them. */
  private void publish(int version, int cells) throws Exception {
    long begin = System.nanoTime();
    for (int c = 0; c < cells; c++) {
      byte[] part = Avm.toBytes(cell.with(Provenance.here(1L + c + version * 100_000L)));
      digests[c] = CellManifest.digest(part);
      send("m/" + CellManifest.cellKey(PLAN, c), part, version);
    }
    long[] ofPlan = pieces.stream().mapToLong(CellManifest::digest).toArray();
    CellManifest manifest = new CellManifest(PLAN, Provenance.here(version), ofPlan, digests);
    send("m", manifest.toBytes(), version);
    producer.flush();
    long written = System.nanoTime();
    while (!version().equals(Integer.toString(version))) {
      Thread.sleep(10);
    }
    System.out.printf(
        "version %d: %d cells, %d bytes, sent in %d ms, served after %d ms more%n",
        version,
        cells,
        sent,
        (written - begin) / 1_000_000,
        (System.nanoTime() - written) / 1_000_000);
    sent = 0;
  }

  private String version() throws Exception {
    return server.model().path("version").asText();
  }

  private void send(String key, byte[] value, int version) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("models", 0, bytes, value);
    record.headers().add("version", Integer.toString(version).getBytes(StandardCharsets.UTF_8));
    sent += bytes.length + value.length;
    Future<?> unused =
        producer.send(
            record,
            (metadata, failure) -> {
              if (failure != null) {
                System.err.println("not sent: " + failure);
              }
            });
  }
}
