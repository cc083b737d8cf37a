// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A model that changes in some cells at a time, as a job publishes it. */
final class PublishedParts {
  static final String PLAN = "1f";

  private static final List<FeatureVector> ROWS = new ArrayList<>();
  private static final List<Model> MODELS = new ArrayList<>();
  private static final RowModel START = start();

  private final CellPlan plan = new CellPlan(START.model());
  private final Random random;
  private final List<@Nullable Model> models = new ArrayList<>();
  private final Map<String, byte @Nullable []> now = new LinkedHashMap<>();
  private long version;

  /** What is sent for a version, and what it is as a whole. */
  static final class Version {
    final CellManifest manifest;
    final Map<String, byte @Nullable []> sent;
    final byte[] whole;

    Version(CellManifest manifest, Map<String, byte @Nullable []> sent, byte[] whole) {
      this.manifest = manifest;
      this.sent = sent;
      this.whole = whole;
    }
  }

  PublishedParts(long seed) {
    random = new Random(seed);
    for (int cell = 0; cell < plan.size(); cell++) {
      models.add(null);
    }
  }

  private static RowModel start() {
    AutoLearner learner =
        new AutoLearner(Avm.classifier().labels(0, 1).budget(12).cells(0).estimation(100).config());
    Random random = new Random(5);
    CellPlan plan = null;
    for (int i = 0; i < 900; i++) {
      double[] x = {8 * random.nextDouble(), 8 * random.nextDouble()};
      ROWS.add(FeatureVector.dense(x));
      learner.learn(ROWS.get(i), ((int) x[0] + (int) x[1]) % 2);
      if (i == 300) {
        plan = CellPlan.of(learner, ROWS, 7);
      } else if (i > 300 && i % 20 == 0) {
        MODELS.add(learner.snapshot());
      }
    }
    if (plan == null || plan.size() < 5) {
      throw new IllegalStateException("no cells: the tests would test nothing");
    }
    return new RowModel(Schema.numbered(), "", List.of("no", "yes"), plan.model());
  }

  /** The next version: some cells get another model or lose it. */
  Version next(int changes) {
    Map<String, byte @Nullable []> sent = new LinkedHashMap<>();
    List<byte[]> pieces = CellManifest.pieces(START.toBytes());
    for (int p = 0; version == 0 && p < pieces.size(); p++) {
      sent.put(CellManifest.pieceKey(PLAN, p), pieces.get(p));
    }
    for (int k = 0; k < changes; k++) {
      int cell = random.nextInt(plan.size());
      Model model = random.nextInt(4) == 0 ? null : MODELS.get(random.nextInt(MODELS.size()));
      models.set(cell, model);
      byte[] bytes = model == null ? null : ModelFormat.write(model);
      sent.put(CellManifest.cellKey(PLAN, cell), bytes);
    }
    now.putAll(sent);
    Provenance provenance = Provenance.here(++version);
    Model model = plan.model(models, provenance);
    long[] ofPlan = pieces.stream().mapToLong(CellManifest::digest).toArray();
    long[] ofCells = new long[plan.size()];
    for (int cell = 0; cell < ofCells.length; cell++) {
      byte[] bytes = now.get(CellManifest.cellKey(PLAN, cell));
      ofCells[cell] = bytes == null ? CellManifest.NONE : CellManifest.digest(bytes);
    }
    return new Version(
        new CellManifest(PLAN, provenance, ofPlan, ofCells),
        sent,
        new RowModel(START.schema(), START.target(), START.classNames(), model).toBytes());
  }

  List<Version> next(int versions, int changes) {
    List<Version> all = new ArrayList<>();
    for (int v = 0; v < versions; v++) {
      all.add(next(changes));
    }
    return all;
  }
}
