// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Models in parts share one bound on bytes, whatever their names. */
class PartedModelsTest {
  private static final String PLAN = "1f";

  private final RecordingStore store = new RecordingStore(2);
  private final List<Model> models = new ArrayList<>();
  private List<byte[]> pieces = List.of();
  private final Map<String, byte[]> sent = new HashMap<>();
  private int cells;

  @BeforeEach
  void learn() {
    AutoLearner learner = Avm.classifier().labels(0, 1).budget(12).cells(0).estimation(100).build();
    List<FeatureVector> rows = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 400; i++) {
      double[] x = {8 * random.nextDouble(), 8 * random.nextDouble()};
      rows.add(FeatureVector.dense(x));
      learner.learn(rows.get(i), ((int) x[0] + (int) x[1]) % 2);
      if (i >= 300) {
        models.add(learner.snapshot());
      }
    }
    CellPlan plan = CellPlan.of(learner, rows, 7);
    cells = plan.size();
    RowModel start = new RowModel(Schema.numbered(), "", List.of("no", "yes"), plan.model());
    pieces = CellManifest.pieces(start.toBytes());
  }

  /**
   * Sends a version whose cells have these models, of its parts only those that changed; returns
   * the bytes of all of them.
   */
  private long send(PartedModels parted, String name, long version, int... ofCells) {
    long[] digests = new long[cells];
    long bytes = 0;
    for (int p = 0; p < pieces.size(); p++) {
      sendPart(parted, name, CellManifest.pieceKey(PLAN, p), pieces.get(p));
      bytes += pieces.get(p).length;
    }
    for (int c = 0; c < cells; c++) {
      byte[] part = Avm.toBytes(models.get(ofCells[c % ofCells.length]));
      sendPart(parted, name, CellManifest.cellKey(PLAN, c), part);
      digests[c] = CellManifest.digest(part);
      bytes += part.length;
    }
    long[] ofPlan = pieces.stream().mapToLong(CellManifest::digest).toArray();
    byte[] manifest = new CellManifest(PLAN, Provenance.here(version), ofPlan, digests).toBytes();
    parted.manifest(new Arrival(name, "line", version, "topic", null), manifest);
    parted.load(true);
    return bytes;
  }

  private void sendPart(PartedModels parted, String name, String key, byte[] part) {
    if (!Arrays.equals(part, sent.put(name + "/" + key, part))) {
      parted.part(name, key, part, "topic");
    }
  }

  @Test
  void versionsOfAllNamesShareTheRoom() {
    long one = send(new PartedModels(new RecordingStore(2)), "m", 1, 0);
    PartedModels parted = new PartedModels(store, one * 3 / 2);
    send(parted, "first", 1, 0);
    assertEquals(1, store.newest("first"));
    send(parted, "second", 1, 1);
    assertEquals(-1, store.newest("second"), "two of them do not fit");
    assertTrue(store.said().toString().contains("there is room for"));
    send(parted, "first", 2, 2, 0, 0, 0, 0, 0, 0);
    assertEquals(2, store.newest("first"), "one changed cell fits");
    send(parted, "first", 3, 3);
    assertEquals(
        2, store.newest("first"), "the versions before are kept, and all cells have changed");
  }

  @Test
  void aFloodOfPartsNobodyNamesHarmsNoOtherModel() {
    long one = send(new PartedModels(new RecordingStore(2)), "m", 1, 0);
    PartedModels parted = new PartedModels(store, 2 * one);
    send(parted, "good", 1, 0);
    for (int i = 0; i < 5000; i++) {
      parted.part("flood" + i % 40, "1f/" + i, new byte[500], "topic");
    }
    send(parted, "good", 2, 1, 0, 0, 0, 0, 0, 0);
    assertEquals(2, store.newest("good"));
  }
}
