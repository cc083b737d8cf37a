// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.Avm;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A model in parts is served once all its parts are there, and follows them cell by cell. A version
 * that lacks a part is refused, and the one before goes on.
 */
final class PartedTopicDrill {
  private static final String NAME = "parted";
  private static final String PLAN = "2a";

  private final KafkaProducer<byte[], byte[]> producer;
  private final RunningServer server;
  private final RowModel rows = aroundCentres(TestModels.checkerboard());
  private final Cells cells = rows.model().levels().get(0);
  private final long[] digests = new long[cells.size()];
  private final List<byte[]> pieces;

  PartedTopicDrill(KafkaProducer<byte[], byte[]> producer, RunningServer server) {
    this.producer = producer;
    this.server = server;
    Model plan = new CellPlan(rows.model()).model();
    RowModel start = new RowModel(rows.schema(), rows.target(), rows.classNames(), plan);
    this.pieces = CellManifest.pieces(start.toBytes());
  }

  /** A plan's cells are around centres. */
  private static RowModel aroundCentres(RowModel rows) {
    Cells cells =
        rows.model().levels().stream()
            .filter(one -> one.partition() instanceof Centres)
            .findFirst()
            .orElseThrow();
    Model model = rows.model().with(List.of(cells));
    return new RowModel(rows.schema(), rows.target(), rows.classNames(), model);
  }

  void run() throws Exception {
    for (int piece = 0; piece < pieces.size(); piece++) {
      send(NAME + "/" + CellManifest.pieceKey(PLAN, piece), pieces.get(piece), 1);
    }
    manifest(1);
    await("1");
    assertEquals(new CellPlan(rows.model()).model().size(), corePoints());
    for (int cell = 0; cell < cells.size(); cell++) {
      change(cell, cells.model(cell), 2);
    }
    manifest(2);
    await("2");
    assertEquals(rows.model().size(), corePoints());
    digests[0] = 99; // of a part that nobody sent
    manifest(3);
    RunningServer.await("the refusal", () -> state().path("refused").has("reason"));
    String reason = state().path("refused").path("reason").asText();
    assertTrue(reason.contains("version 3 lacks 1 of"), reason);
    assertEquals("2", state().path("version").asText());
    change(0, cells.model(0), 4);
    manifest(4);
    await("4");
  }

  /** Of the version that predicts. */
  private long corePoints() throws Exception {
    JsonNode state = state();
    for (JsonNode version : state.path("versions")) {
      if (version.path("version").equals(state.path("version"))) {
        return version.path("core_points").asLong();
      }
    }
    return -1;
  }

  private void await(String version) throws Exception {
    RunningServer.await(
        "version " + version, () -> state().path("version").asText().equals(version));
  }

  private JsonNode state() throws Exception {
    for (JsonNode model : RunningServer.json(server.get("/v1/models")).path("models")) {
      if (model.path("name").asText().equals(NAME)) {
        return model;
      }
    }
    return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
  }

  private void change(int cell, @Nullable Model model, int version) throws Exception {
    byte[] part = model == null ? null : Avm.toBytes(model);
    digests[cell] = part == null ? CellManifest.NONE : CellManifest.digest(part);
    send(NAME + "/" + CellManifest.cellKey(PLAN, cell), part, version);
  }

  private void manifest(int version) throws Exception {
    long[] ofPlan = pieces.stream().mapToLong(CellManifest::digest).toArray();
    CellManifest manifest = new CellManifest(PLAN, rows.model().provenance(), ofPlan, digests);
    send(NAME, manifest.toBytes(), version);
  }

  private void send(String key, byte @Nullable [] value, int version) throws Exception {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("models", 0, bytes(key), value);
    record.headers().add("version", bytes(Integer.toString(version)));
    record.headers().add("lineage", bytes("0193f1c2-0000-7000-8000-000000000002"));
    producer.send(record).get();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
