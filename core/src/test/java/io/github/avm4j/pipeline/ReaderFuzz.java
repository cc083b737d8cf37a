// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.RationalQuadratic;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What must hold for any bytes given to the readers: a refusal by {@link InvalidModelException}, or
 * a model or learner that answers, learns on and writes bytes that read as the same again; and no
 * more memory than promised.
 */
final class ReaderFuzz {
  /** No vector for an answer is longer than this. */
  private static final int LONGEST = 4096;

  private final long constant;

  /** {@code constant}: bytes that may be allocated for any file, instrumentation included. */
  ReaderFuzz(long constant) {
    this.constant = constant;
  }

  private interface Reader<T> {
    T read(byte[] file) throws InvalidModelException;
  }

  /** All readers on one file; how many took it. */
  int check(byte[] file) {
    int taken = 0;
    Model model = bounded(ModelFormat::read, file, 16);
    if (model != null) {
      taken++;
      same(
          ModelFormat.write(model),
          ModelFormat.write(reread(ModelFormat::read, ModelFormat.write(model))));
      answers(model, model.dimension());
    }
    Learner learner = bounded(Learner::fromBytes, file, 32);
    if (learner != null) {
      taken++;
      byte[] written = learner.toBytes();
      if (model.size() * (long) model.columns() < 100_000 && isFinite(learner.snapshot())) {
        same(written, reread(Learner::fromBytes, written).toBytes());
      }
      answers(learner, model.dimension());
      learnsOn(learner, model.dimension());
    }
    RowModel rows = bounded(RowModel::read, file, 64);
    if (rows != null) {
      taken++;
      same(rows.toBytes(), reread(RowModel::read, rows.toBytes()).toBytes());
    }
    taken += bounded(RowLearner::read, file, 128) == null ? 0 : 1;
    return taken;
  }

  /** What was read, or null if it was refused. */
  private <T> T bounded(Reader<T> reader, byte[] file, int factor) {
    long limit = (long) factor * file.length + constant;
    T result = null;
    long least = Long.MAX_VALUE;
    // The first run of a path also loads classes and links messages.
    for (int run = 0; run < 4 && least > limit; run++) {
      long before = Allocation.soFar();
      result = readOrRefuse(reader, file);
      least = Math.min(least, Allocation.soFar() - before);
    }
    if (least > limit) {
      throw new AssertionError(least + " bytes allocated for a file of " + file.length);
    }
    return result;
  }

  private static <T> T readOrRefuse(Reader<T> reader, byte[] file) {
    try {
      return reader.read(file);
    } catch (InvalidModelException e) {
      if (e.getMessage().length() > 1_000 + 8 * file.length) {
        throw new AssertionError("a message of " + e.getMessage().length() + " characters", e);
      }
      return null;
    }
  }

  private static <T> T reread(Reader<T> reader, byte[] file) {
    try {
      return reader.read(file);
    } catch (InvalidModelException e) {
      throw new AssertionError("what was written cannot be read", e);
    }
  }

  private static void same(byte[] first, byte[] second) {
    if (!Arrays.equals(first, second)) {
      throw new AssertionError("what was written and read is written differently");
    }
  }

  /** Whether averages of hostile sums came out finite, as those of a learner do. */
  private static boolean isFinite(Model model) {
    for (int c = 0; c < model.columns(); c++) {
      for (int i = 0; i < model.size(); i++) {
        if (!Double.isFinite(model.coefficient(c, i))) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<FeatureVector> vectors(int dimension) {
    List<FeatureVector> vectors = new ArrayList<>();
    vectors.add(FeatureVector.sparse(new int[] {0, 7}, new double[] {0.5, -1}));
    if (dimension <= LONGEST) {
      double[] values = new double[Math.max(1, dimension)];
      Arrays.fill(values, 0.25);
      vectors.add(FeatureVector.dense(values));
    }
    return vectors;
  }

  private static void answers(Predictor predictor, int dimension) {
    double[] out = new double[Math.max(1, predictor.classes())];
    for (FeatureVector x : vectors(dimension)) {
      try {
        predictor.predict(x);
        predictor.score(x);
        predictor.scores(x, out);
        if (predictor.task() == Task.CLASSIFICATION) {
          predictor.probabilities(x, out);
        }
      } catch (IllegalArgumentException e) {
        // The vector does not fit.
      }
    }
  }

  private static void learnsOn(Learner learner, int dimension) {
    for (FeatureVector x : vectors(dimension)) {
      try {
        learner.learn(x, 1);
        learner.learn(x, 0);
        learner.learn(x, 2);
        learner.toBytes();
      } catch (IllegalArgumentException e) {
        // The vector or label does not fit.
      }
    }
  }

  /**
   * Input as sections, so that no checksum stands in the way: each is a byte for its type, two for
   * its length and that many for its payload, the last one whatever is left.
   */
  static byte[] wrap(byte[] input) {
    FileForge forge = new FileForge();
    int at = 0;
    while (input.length - at >= 3) {
      int type = input[at] & 0xFF;
      int length = (input[at + 1] & 0xFF) | (input[at + 2] & 0xFF) << 8;
      int end = Math.min(input.length, at + 3 + length);
      forge.section(type >= 0x80 ? type << 24 : type, Arrays.copyOfRange(input, at + 3, end));
      at = end;
    }
    return forge.toBytes();
  }

  /** The inverse of {@link #wrap} for a file with short sections. */
  static byte[] unwrap(byte[] file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Map.Entry<Integer, byte[]> section : FileForge.payloads(file).entrySet()) {
      int length = section.getValue().length;
      out.write(section.getKey());
      out.write(length);
      out.write(length >> 8);
      out.writeBytes(section.getValue());
    }
    return out.toByteArray();
  }

  /** Small files of every kind, every mutation's start. */
  static List<byte[]> seeds() {
    List<Learner> learners =
        List.of(
            Avm.paperClassifier()
                .gamma(0.5)
                .delta(1)
                .lambda(0.01)
                .output(new SuffixAverage(0.5, 0))
                .build(),
            Avm.paperClassifier()
                .kernel(new RationalQuadratic(0.5, 2))
                .loss(new SmoothHinge(0.5))
                .coverage(new Hyperrectangle(1))
                .lambda(0.01)
                .budget(3)
                .labels(3, 4)
                .build(),
            Avm.paperRegressor()
                .kernel(new Matern32(1))
                .loss(new SquaredLoss())
                .delta(1)
                .lambda(0.01)
                .output(new UniformAverage())
                .approximation(new Bernoulli(1, 0.5))
                .build(),
            Avm.classifier().budget(4).estimation(20).build(),
            Avm.regressor().budget(4).estimation(5).scaling(ScalingMode.STANDARD).build());
    List<byte[]> seeds = new ArrayList<>();
    for (Learner learner : learners) {
      for (int i = 0; i < 6; i++) {
        learner.learn(new double[] {i % 3, i % 4}, i % 3);
      }
      seeds.add(learner.toBytes());
    }
    for (int far : new int[] {5, 1_000_000}) {
      Learner sparse = Avm.paperClassifier().gamma(1).delta(1).lambda(0.1).build();
      Learner newton = Avm.classifier().estimation(3).budget(4).scaling(ScalingMode.NONE).build();
      for (int i = 0; i < 5; i++) {
        FeatureVector x = FeatureVector.sparse(new int[] {i, far + i}, new double[] {1, i});
        sparse.learn(x, i % 2);
        newton.learn(x, i % 2);
      }
      seeds.add(sparse.toBytes());
      seeds.add(newton.toBytes());
    }
    seeds.add(rows());
    return seeds;
  }

  private static byte[] rows() {
    List<Column> columns =
        List.of(
            new Column("number", Column.Kind.NUMBER, 1, List.of(), 0),
            new Column("day", Column.Kind.DATE, 0, List.of(), 0),
            new Column("word", Column.Kind.CATEGORY, 0, List.of("x", "é"), 0),
            new Column("hash", Column.Kind.HASHED, 0, List.of(), 2));
    RowLearner rows =
        new RowLearner(new Schema(columns), "target", Avm.classifier().estimation(4).build());
    for (int i = 0; i < 5; i++) {
      rows.learner().learn(new double[10], rows.names().add("class" + i % 2));
    }
    return rows.toBytes();
  }
}
