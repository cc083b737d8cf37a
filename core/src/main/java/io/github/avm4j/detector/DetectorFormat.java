// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.internal.anomaly.CoreSample;
import io.github.avm4j.internal.anomaly.DetectorEngine;
import io.github.avm4j.internal.anomaly.HeldBack;
import io.github.avm4j.internal.anomaly.LabelledRows;
import io.github.avm4j.internal.anomaly.Marginals;
import io.github.avm4j.internal.anomaly.ReferenceScores;
import io.github.avm4j.internal.anomaly.Spreads;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Provenance;
import java.util.Map;

/** The DETECTOR section of docs/format.md: settings and all state of a detector. */
final class DetectorFormat {
  /** No score is as large. */
  private static final double LARGEST_SCORE = 1e18;

  private DetectorFormat() {}

  static byte[] write(DetectorEngine engine) {
    return Sections.write(
        Map.of(
            Sections.PROVENANCE,
            ModelFormat.writeProvenance(Provenance.here(engine.instances())),
            Sections.DETECTOR,
            section(engine)));
  }

  private static byte[] section(DetectorEngine engine) {
    ByteWriter out = new ByteWriter();
    DetectorConfig config = engine.config;
    out.f64(config.gamma());
    out.i32(config.budget());
    out.f64(config.forgetting());
    out.f64(config.alarm());
    out.i32(config.calibration());
    out.u8(config.protection() ? 1 : 0);
    out.i32(config.features());
    out.i64(config.seed());
    out.i64(engine.random.state());
    out.i64(engine.instances());
    out.i64(engine.learned());
    out.f64(engine.heldBack());
    double[] scores = engine.reference.scores();
    out.i32(scores.length);
    out.i32(engine.reference.oldest());
    out.f64s(scores, scores.length);
    CoreSample sample = engine.sample();
    out.i32(sample == null ? 0 : sample.dimension);
    if (sample != null) {
      out.i32(sample.size());
      out.i32(sample.fresh());
      out.f64(sample.gamma());
      out.f64s(sample.marginals.centre, sample.dimension);
      out.f64s(sample.marginals.unit, sample.dimension);
      out.f64s(sample.values(), sample.size() * sample.dimension);
      out.f64s(sample.spreads(), sample.size());
      writeLabelled(out, engine.labelled, sample.dimension);
      writeHeldBack(out, engine.before, sample.dimension);
    }
    return out.toBytes();
  }

  private static void writeHeldBack(ByteWriter out, HeldBack before, int dimension) {
    out.f64(before.alike());
    out.i64(before.count());
    for (int i = 0; i < before.size(); i++) {
      out.f64s(before.rows[i], dimension);
    }
  }

  private static void writeLabelled(ByteWriter out, LabelledRows labelled, int dimension) {
    out.i64(labelled.count());
    for (int i = 0; i < labelled.size(); i++) {
      out.u8(labelled.anomalous[i] ? 1 : 0);
      out.f64s(labelled.rows[i], dimension);
    }
  }

  static DetectorEngine read(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    if (!sections.containsKey(Sections.DETECTOR)) {
      throw new InvalidModelException(
          "the file holds no detector: it is a model or learner, which Avm.loadLearner reads");
    }
    ByteReader in = sections.get(Sections.DETECTOR);
    DetectorConfig config = readConfig(in);
    DetectorEngine engine = new DetectorEngine(config, in.i64());
    long instances = LearnerFormat.count(in, "instances");
    long learned = LearnerFormat.count(in, "instances learned");
    double heldBack = LearnerFormat.positive(in, "share held back");
    require(learned <= instances, "more instances learned than seen");
    require(heldBack <= 1, "the share held back must be at most 1");
    engine.restore(instances, learned, heldBack);
    readReference(in, engine.reference);
    readSample(in, engine);
    in.end();
    return engine;
  }

  private static DetectorConfig readConfig(ByteReader in) throws InvalidModelException {
    double gamma = in.f64("gamma");
    int budget = in.i32();
    double forgetting = in.f64("forgetting");
    double alarm = in.f64("alarm");
    int calibration = in.i32();
    boolean protection = in.code("protection", 2) == 1;
    int features = in.i32();
    // A file may not ask for more room than it could have filled.
    require(features == 0 || features <= in.remaining() / 16, "more features than bytes");
    try {
      return new DetectorConfig(
          gamma, budget, forgetting, alarm, calibration, protection, features, in.i64());
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException(
          "the detector's settings are not valid: " + e.getMessage(), e);
    }
  }

  private static void readReference(ByteReader in, ReferenceScores reference)
      throws InvalidModelException {
    int size = in.i32();
    int next = in.i32();
    int capacity = reference.capacity();
    require(size >= 0 && size <= capacity, "more scores than are kept");
    require(next == (size < capacity ? size : next) % capacity && next >= 0, "no such score");
    in.need("scores", 8L * size);
    reference.restore(within(in.f64s("score", size), LARGEST_SCORE), next);
  }

  private static void readSample(ByteReader in, DetectorEngine engine)
      throws InvalidModelException {
    int dimension = in.i32();
    int declared = engine.config.features();
    require(dimension >= 0 && (declared == 0 || declared == dimension), "other features than set");
    if (dimension == 0) {
      require(engine.instances() == 0, "instances without features");
      return;
    }
    int budget = engine.config.budget();
    require((long) dimension * budget <= DetectorConfig.MAX_VALUES, "too many features");
    int size = in.i32();
    int fresh = in.i32();
    require(size >= 0 && size <= budget, "more core points than the budget");
    require(fresh >= 0 && fresh <= budget, "more new core points than the budget");
    in.need("core points", 16L * dimension + 8L * size * (dimension + 1L));
    CoreSample started = engine.sample();
    CoreSample sample = started == null ? engine.start(dimension) : started;
    double gamma = in.f64("gamma");
    require(gamma > 0 && gamma <= 1e6, "gamma must be in (0, 1e6]");
    double[] centre = within(in.f64s("centre", dimension), Marginals.LARGEST_VALUE);
    double[] unit = in.f64s("unit", dimension);
    for (int j = 0; j < dimension; j++) {
      require(unit[j] >= 0, "units must be >= 0");
      sample.marginals.centre[j] = centre[j];
      sample.marginals.unit[j] = unit[j];
    }
    double[] points = within(in.f64s("core point", size * dimension), Marginals.LARGEST_VALUE);
    double[] spreads = in.f64s("spread", size);
    for (double spread : spreads) {
      require(spread >= Spreads.SMALLEST && spread <= Spreads.LARGEST, "no such spread");
    }
    sample.restore(points, spreads, gamma, fresh);
    readLabelled(in, engine.labelled, dimension);
    readHeldBack(in, engine.before, dimension);
  }

  private static void readHeldBack(ByteReader in, HeldBack before, int dimension)
      throws InvalidModelException {
    double alike = LearnerFormat.positive(in, "share of alike instances");
    require(alike <= 1, "the share of alike instances must be at most 1");
    long count = LearnerFormat.count(in, "instances held back");
    int size = (int) Math.min(count, HeldBack.MOST);
    for (int i = 0; i < size; i++) {
      before.add(within(in.f64s("instance held back", dimension), Marginals.LARGEST_VALUE));
    }
    before.restore(count, alike);
  }

  private static void readLabelled(ByteReader in, LabelledRows labelled, int dimension)
      throws InvalidModelException {
    long count = LearnerFormat.count(in, "labelled instances");
    int size = (int) Math.min(count, LabelledRows.MOST);
    for (int i = 0; i < size; i++) {
      boolean anomalous = in.code("label", 2) == 1;
      double[] row = in.f64s("labelled instance", dimension);
      labelled.add(within(row, Marginals.LARGEST_VALUE), anomalous);
    }
    labelled.restore(count);
  }

  private static double[] within(double[] values, double largest) throws InvalidModelException {
    for (double value : values) {
      require(Math.abs(value) <= largest, value + " is too large");
    }
    return values;
  }

  private static void require(boolean holds, String problem) throws InvalidModelException {
    if (!holds) {
      throw new InvalidModelException("the detector's state is not valid: " + problem);
    }
  }
}
