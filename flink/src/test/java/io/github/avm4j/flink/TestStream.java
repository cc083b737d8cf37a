// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.TextFormat;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A stream of two classes that only a non-linear learner tells apart: record i is a function of i.
 */
public final class TestStream {
  /** Names of the classes. */
  public static final List<String> CLASSES = List.of("1", "-1");

  private TestStream() {}

  private static double[] point(long i) {
    SplittableRandom random = new SplittableRandom(77 + i);
    return new double[] {random.nextDouble(), random.nextDouble(), random.nextDouble()};
  }

  private static int label(double[] x) {
    return ((int) (x[0] * 2) + (int) (x[1] * 2)) % 2;
  }

  /** The features of record i. */
  public static FeatureVector features(long i) {
    return FeatureVector.sparse(new int[] {0, 1, 2}, point(i));
  }

  /** Record i as LIBSVM text. */
  public static String line(long i) {
    double[] x = point(i);
    return CLASSES.get(label(x)) + " 1:" + x[0] + " 2:" + x[1] + " 3:" + x[2];
  }

  /** Record i as a source would give it, keyed by i. */
  public static RawRecord record(long i) {
    return new RawRecord(
        "test-0",
        i,
        Long.toString(i).getBytes(StandardCharsets.UTF_8),
        line(i).getBytes(StandardCharsets.UTF_8),
        i);
  }

  /** How its records become examples. */
  public static RecordFormat format() {
    return new RecordFormat(TextFormat.libsvm(), start().file(), true, Duration.ofHours(1));
  }

  /** A learner that has learned nothing. */
  public static Learner blank() {
    return Avm.classifier().budget(30).estimation(200).build();
  }

  /** What jobs begin with. */
  public static StartFiles start() {
    return start(blank());
  }

  /** What jobs begin with that go on from a learner. */
  public static StartFiles start(Learner learner) {
    RowLearner rows = new RowLearner(Schema.numbered(), "label", learner);
    CLASSES.forEach(rows.names()::add);
    return new StartFiles(rows);
  }

  /** Teaches records {@code from} to {@code to}, the last not among them, in a plain loop. */
  public static void teach(Learner learner, long from, long to) {
    int[] indices = {0, 1, 2};
    for (long i = from; i < to; i++) {
      double[] x = point(i);
      learner.predictThenLearn(FeatureVector.sparse(indices, x), label(x), 1);
    }
  }

  /** Share of records {@code from} to {@code to} that the model tells wrong. */
  public static double error(Model model, long from, long to) {
    int[] indices = {0, 1, 2};
    long wrong = 0;
    for (long i = from; i < to; i++) {
      double[] x = point(i);
      wrong += model.predict(FeatureVector.sparse(indices, x)) == label(x) ? 0 : 1;
    }
    return (double) wrong / (to - from);
  }

  /** The file of the model that a plain loop over the first {@code n} records gives. */
  public static byte[] expected(long n) {
    Learner learner = blank();
    teach(learner, 0, n);
    return file(learner);
  }

  /** The file that is published of a learner. */
  public static byte[] file(Learner learner) {
    return new RowModel(Schema.numbered(), "label", CLASSES, learner.snapshot()).toBytes();
  }
}
