// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.Standard;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Hostile SCALING, SCHEMA and COLUMNS sections with right checksums. */
class HostileSectionsTest {
  private static final int CONSTANT = 64 * 1024;

  /** Estimating, scaled, with kept dense instances. */
  private static AutoLearner estimating() {
    AutoLearner learner = Avm.classifier().scaling(ScalingMode.STANDARD).estimation(50).build();
    for (int i = 0; i < 12; i++) {
      learner.learn(new double[] {i % 5, i % 3}, i % 2);
    }
    assertTrue(learner.isEstimating());
    return learner;
  }

  private static byte[] rows() {
    List<Column> columns =
        List.of(
            new Column("a", Column.Kind.NUMBER, 1.5, List.of(), 0),
            new Column("b", Column.Kind.CATEGORY, Fill.NONE, List.of("x", "y"), 2, details()),
            new Column("c", Column.Kind.HASHED, 0, List.of(), 3));
    RowLearner rows = new RowLearner(new Schema(columns), "target", estimating());
    rows.names().add("no");
    rows.names().add("yes");
    return rows.toBytes();
  }

  private static Column.Details details() {
    return Column.Details.NEWEST.withRoom(3).withStandard(new Standard(1, 2, true), 0.375);
  }

  private static byte[] payload(Consumer<ByteWriter> content) {
    ByteWriter out = new ByteWriter();
    content.accept(out);
    return out.toBytes();
  }

  private static byte[] patched(byte[] file, int type, int offset, Consumer<ByteWriter> bytes) {
    byte[] section = FileForge.payloads(file).get(type);
    byte[] patch = payload(bytes);
    System.arraycopy(patch, 0, section, offset, patch.length);
    return FileForge.with(file, type, section);
  }

  private static String refused(byte[] file) {
    long limit = 32L * file.length + CONSTANT;
    assertTrue(Allocation.of(() -> Learner.fromBytes(file)) <= limit);
    assertTrue(Allocation.of(() -> RowLearner.read(file)) <= 4 * limit);
    assertThrows(InvalidModelException.class, () -> RowLearner.read(file));
    return assertThrows(InvalidModelException.class, () -> Learner.fromBytes(file)).getMessage();
  }

  private static String refusedAsRows(byte[] file) {
    long limit = 64L * file.length + CONSTANT;
    assertTrue(Allocation.of(() -> RowModel.read(file)) <= limit);
    assertThrows(InvalidModelException.class, () -> RowLearner.read(file));
    return assertThrows(InvalidModelException.class, () -> RowModel.read(file)).getMessage();
  }

  @Test
  void theFileItselfIsFine() throws InvalidModelException {
    byte[] file = rows();
    assertArrayEquals(file, RowLearner.read(file).toBytes());
    RowModel model = RowModel.read(file);
    assertEquals("yes", model.name(1));
    assertArrayEquals(model.toBytes(), RowModel.read(model.toBytes()).toBytes());
  }

  @Test
  void everyPayloadCutShortOrTooLongIsRefused() {
    byte[] file = rows();
    FileForge.payloads(file)
        .forEach(
            (type, bytes) -> {
              for (int length = 0; length < bytes.length; length++) {
                byte[] shorter = FileForge.with(file, type, Arrays.copyOf(bytes, length));
                assertThrows(InvalidModelException.class, () -> RowLearner.read(shorter));
              }
              byte[] longer = FileForge.with(file, type, Arrays.copyOf(bytes, bytes.length + 1));
              assertThrows(InvalidModelException.class, () -> RowLearner.read(longer));
            });
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] file = rows();
    for (int bit = 0; bit < 8 * file.length; bit += 3) {
      byte[] flipped = file.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(InvalidModelException.class, () -> RowLearner.read(flipped));
    }
  }

  @Test
  void unknownCodesAreRefusedByName() {
    byte[] file = rows();
    assertTrue(
        refused(patched(file, Sections.SCALING, 8, out -> out.u8(2)))
            .contains("unknown sparse scaling code 2"));
    assertTrue(
        refused(patched(file, Sections.SCALING, 13 + 16, out -> out.u8(7)))
            .contains("unknown logarithm code 7"));
    int firstKind = 2 + 6 + 4 + 2 + 1;
    assertTrue(
        refusedAsRows(patched(file, Sections.SCHEMA, firstKind, out -> out.u8(5)))
            .contains("unknown column kind code 5"));
  }

  @Test
  void detailsOfColumnsAreChecked() {
    byte[] file = rows();
    int second = 4 + 40;
    assertTrue(
        refusedAsRows(patched(file, Sections.COLUMNS, second + 4, out -> out.u8(2)))
            .contains("unknown hash code 2"));
    assertTrue(
        refusedAsRows(patched(file, Sections.COLUMNS, second + 5, out -> out.u8(4)))
            .contains("unknown order of dates code 4"));
    assertTrue(
        refusedAsRows(patched(file, Sections.COLUMNS, second + 23, out -> out.u8(2)))
            .contains("unknown logarithm code 2"));
    for (int room : new int[] {-1, (1 << 20) + 1, Integer.MAX_VALUE}) {
      assertTrue(
          refusedAsRows(patched(file, Sections.COLUMNS, second, out -> out.i32(room)))
              .contains("room for " + room));
    }
    for (double unit : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      refusedAsRows(patched(file, Sections.COLUMNS, second + 32, out -> out.f64(unit)));
    }
    for (double limit : new double[] {0, -1, Double.NaN}) {
      refusedAsRows(patched(file, Sections.COLUMNS, second + 24, out -> out.f64(limit)));
    }
    refusedAsRows(patched(file, Sections.COLUMNS, second + 6, out -> out.u8(2)));
    refusedAsRows(patched(file, Sections.COLUMNS, second + 7, out -> out.f64(Double.NaN)));
    int fill = 2 + 6 + 4 + 2 + 1 + 1;
    refusedAsRows(patched(file, Sections.SCHEMA, fill, out -> out.i64(-1)));
    refusedAsRows(patched(file, Sections.SCHEMA, fill + 8, out -> out.u8(7)));
    refusedAsRows(patched(file, Sections.SCHEMA, fill + 9, out -> out.f64(Double.NaN)));
    refusedAsRows(patched(file, Sections.COLUMNS, 0, out -> out.i32(2)));
  }

  @Test
  void hugeCounts() {
    byte[] file = rows();
    for (int count : new int[] {100, 1_000_000, Integer.MAX_VALUE, -1}) {
      refused(patched(file, Sections.SCALING, 9, out -> out.i32(count)));
      refusedAsRows(patched(file, Sections.SCHEMA, 8, out -> out.i32(count)));
      refusedAsRows(patched(file, Sections.SCHEMA, 8 + 4 + 3 + 22, out -> out.i32(count)));
    }
    refusedAsRows(
        FileForge.with(
            file,
            Sections.SCHEMA,
            payload(
                out -> {
                  out.text("t");
                  out.i32(1);
                  out.text("c");
                  out.u8(2);
                  out.i64(0);
                  out.u8(0);
                  out.i32(1 << 30);
                  out.i32(0);
                  out.i32(0);
                })));
  }

  @Test
  void classNamesMustBeDistinct() {
    byte[] file = rows();
    byte[] schema = FileForge.payloads(file).get(Sections.SCHEMA);
    byte[] twice =
        payload(
            out -> {
              out.raw(Arrays.copyOf(schema, schema.length - 4 - 4 - 5));
              out.i32(2);
              out.text("no");
              out.text("no");
            });
    assertEquals(
        "two classes have one name", refusedAsRows(FileForge.with(file, Sections.SCHEMA, twice)));
    byte[] few =
        payload(
            out -> {
              out.raw(Arrays.copyOf(schema, schema.length - 4 - 4 - 5));
              out.i32(1);
              out.text("no");
            });
    assertTrue(
        refusedAsRows(FileForge.with(file, Sections.SCHEMA, few))
            .contains("has no name among the 1"));
  }

  @Test
  void textMustBeUtf8AndManyTextsAreCheap() throws InvalidModelException {
    byte[] file = rows();
    String message = refusedAsRows(patched(file, Sections.SCHEMA, 3, out -> out.u8(0xFF)));
    assertTrue(message.contains("text is not UTF-8"), message);
    RowLearner strange = new RowLearner(Schema.numbered(), "h\uFFFD\uD83D\uDE00", estimating());
    strange.names().add("no");
    strange.names().add("yes");
    assertEquals("h\uFFFD\uD83D\uDE00", RowLearner.read(strange.toBytes()).targetName());
    List<String> categories = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      categories.add(i % 2 == 0 ? "" : "z");
    }
    Column column = new Column("a", Column.Kind.CATEGORY, 0, categories, 0);
    RowLearner many = new RowLearner(new Schema(List.of(column)), "t", estimating());
    many.names().add("no");
    many.names().add("yes");
    byte[] texts = many.toBytes();
    long bytes = Allocation.of(() -> RowModel.read(texts));
    assertTrue(bytes < 64L * texts.length + CONSTANT, bytes + " for " + texts.length);
  }

  @Test
  void manyLabelsCostWhatTheyWeigh() throws InvalidModelException {
    double[] labels = new double[50_000];
    Arrays.setAll(labels, i -> i);
    byte[] file = Avm.classifier().labels(labels).build().toBytes();
    assertEquals(50_000, Learner.fromBytes(file).classes());
    long learner = Allocation.of(() -> Learner.fromBytes(file));
    assertTrue(learner <= 32L * file.length + CONSTANT, learner + " for " + file.length);
    long model = Allocation.of(() -> ModelFormat.read(file));
    assertTrue(model <= 16L * file.length + CONSTANT, model + " for " + file.length);
  }

  @Test
  void aLearnerThatKnowsNoClassHasNoScores() {
    AutoLearner learner = Avm.classifier().build();
    learner.scores(FeatureVector.dense(1), new double[0]);
    learner.probabilities(FeatureVector.dense(1), new double[0]);
    assertTrue(Double.isNaN(learner.predict(1)));
  }
}
