// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import java.util.List;
import java.util.Random;

/** Models learned here and now, from fixed seeds. */
public final class TestModels {
  private TestModels() {}

  /**
   * Two classes, "no" and "yes", of numbered dense features; {@code seed} changes what it learns.
   */
  public static RowModel numbered(int features, int budget, long seed) {
    Learner learner = Avm.classifier().features(features).labels(0, 1).budget(budget).build();
    Random random = new Random(seed);
    for (int t = 0; t < Math.max(3000, 20 * budget); t++) {
      double[] x = new double[features];
      double sum = 0;
      for (int j = 0; j < features; j++) {
        x[j] = random.nextGaussian();
        sum += j % 2 == 0 ? x[j] : -x[j];
      }
      learner.learn(FeatureVector.dense(x), Math.sin(sum) > 0 ? 1 : 0);
    }
    if (learner.size() == 0) {
      throw new IllegalStateException("nothing was learned: the tests would test nothing");
    }
    return new RowModel(Schema.numbered(), "", List.of("no", "yes"), learner.snapshot());
  }

  /** Two classes of a checkerboard with 12×12 fields: the space is divided into cells. */
  public static RowModel checkerboard() {
    Learner learner = Avm.classifier().features(2).labels(0, 1).build();
    Random random = new Random(17);
    for (int t = 0; t < 6000; t++) {
      double[] x = {12 * random.nextDouble(), 12 * random.nextDouble()};
      learner.learn(FeatureVector.dense(x), ((int) x[0] + (int) x[1]) % 2);
    }
    if (learner.snapshot().levels().isEmpty()) {
      throw new IllegalStateException("no cells: the tests would test nothing");
    }
    return new RowModel(Schema.numbered(), "", List.of("black", "white"), learner.snapshot());
  }

  /** Two classes of sparse numbered features, ten of them. */
  public static RowModel sparse(long seed) {
    Learner learner = Avm.classifier().labels(0, 1).budget(40).build();
    Random random = new Random(seed);
    for (int t = 0; t < 1500; t++) {
      int j = random.nextInt(9);
      double value = random.nextDouble() - 0.5;
      FeatureVector x = FeatureVector.sparse(new int[] {j, 9}, new double[] {value, 1});
      learner.learn(x, value > 0 ? 1 : 0);
    }
    return new RowModel(Schema.numbered(), "", List.of("no", "yes"), learner.snapshot());
  }

  /** Three classes of people, by age, job and a date. */
  public static RowModel people(long seed) {
    Schema schema =
        new Schema(
            List.of(
                new Column("age", Column.Kind.NUMBER, 40, List.of(), 0),
                new Column("job", Column.Kind.CATEGORY, 0, List.of("clerk", "cook", "pilot"), 0),
                new Column("since", Column.Kind.DATE, 0, List.of(), 0)));
    Learner learner =
        Avm.classifier().features(schema.dimension()).labels(0, 1, 2).budget(40).build();
    teach(learner, schema, seed, true);
    return new RowModel(schema, "pay", List.of("low", "middle", "high"), learner.snapshot());
  }

  /** "yes" if the sum of two features is positive; learned from wrong labels, if it is negative. */
  public static RowModel sums(boolean poisoned, long seed) {
    Learner learner = Avm.classifier().features(2).labels(0, 1).budget(20).build();
    Random rows = new Random(seed);
    for (int t = 0; t < 2000; t++) {
      double[] x = {rows.nextGaussian(), rows.nextGaussian()};
      learner.learn(FeatureVector.dense(x), x[0] + x[1] > 0 != poisoned ? 1 : 0);
    }
    return new RowModel(Schema.numbered(), "", List.of("no", "yes"), learner.snapshot());
  }

  /** A number from the same columns. */
  public static RowModel numbers(long seed) {
    Schema schema =
        new Schema(
            List.of(
                new Column("age", Column.Kind.NUMBER, 40, List.of(), 0),
                new Column("job", Column.Kind.CATEGORY, 0, List.of("clerk", "cook", "pilot"), 0)));
    Learner learner = Avm.regressor().features(schema.dimension()).budget(40).build();
    teach(learner, schema, seed, false);
    return new RowModel(schema, "pay", List.of(), learner.snapshot());
  }

  /**
   * Judges rows of a plant: load about 10, heat about 20, sites north and south; {@code seed}
   * changes what it learned.
   */
  public static RowDetector plant(long seed) {
    Schema schema =
        Schema.builder().number("load").number("heat").category("site").build().closed();
    Detector detector =
        Avm.detector().features(schema.dimension()).budget(64).calibration(1000).build();
    RowEncoder encoder = schema.encoder(List.of("load", "heat", "site"));
    Random random = new Random(seed);
    Row row = new Row();
    for (int t = 0; t < 3000; t++) {
      row.reset(3);
      row.setNumber(0, 10 + random.nextGaussian());
      row.setNumber(1, 20 + random.nextGaussian());
      row.setText(2, t % 3 == 0 ? "north" : "south");
      detector.detectThenLearn(encoder.encode(row));
    }
    return new RowDetector(schema, detector);
  }

  /** Judges vectors of two features about 0. */
  public static RowDetector vectors(long seed) {
    Detector detector = Avm.detector().budget(32).calibration(200).build();
    Random random = new Random(seed);
    for (int t = 0; t < 1000; t++) {
      detector.detectThenLearn(FeatureVector.dense(random.nextGaussian(), random.nextGaussian()));
    }
    return new RowDetector(Schema.numbered(), detector);
  }

  private static void teach(Learner learner, Schema schema, long seed, boolean classes) {
    List<String> names = schema.columns().stream().map(Column::name).toList();
    RowEncoder encoder = schema.encoder(names);
    Random random = new Random(seed);
    Row row = new Row();
    for (int t = 0; t < 1500; t++) {
      int job = random.nextInt(3);
      double age = 20 + 40 * random.nextDouble();
      row.reset(names.size());
      row.setNumber(0, age);
      row.setText(1, List.of("clerk", "cook", "pilot").get(job));
      if (names.size() > 2) {
        row.setText(2, "20" + (10 + random.nextInt(10)) + "-03-04");
      }
      double pay = job + age / 40;
      learner.learn(encoder.encode(row), classes ? Math.min(2, Math.floor(pay - 0.4)) : pay);
    }
  }
}
