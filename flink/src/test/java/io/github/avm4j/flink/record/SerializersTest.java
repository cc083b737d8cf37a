// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class SerializersTest {
  private static <T> byte[] write(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return out.getCopyOfBuffer();
  }

  private static <T> T read(TypeSerializer<T> serializer, byte[] bytes) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    T value = serializer.deserialize(in);
    assertEquals(0, in.available(), "all is read");
    return value;
  }

  private static EvaluatedLearner taught(long n) {
    EvaluatedLearner learner = new EvaluatedLearner(TestStream.blank());
    for (long i = 0; i < n; i++) {
      learner.step(new Example("", "", FeatureVector.dense(i % 7, i % 3), i % 2, 1, i));
    }
    return learner;
  }

  /** What stands for a missing number is state of the learner, not of the reader. */
  @Test
  void meansAreStateOfTheLearner() throws Exception {
    Schema schema = Schema.builder().number("a").number("b").build();
    Row row = new Row();
    row.reset(2);
    row.setNumber(1, 5);
    FeatureVector lacking = schema.marker(List.of("a", "b")).encode(row).copy();
    EvaluatedLearner learner = new EvaluatedLearner(TestStream.blank()).on(schema);
    for (double a : new double[] {10, 30}) {
      learner.step(new Example("", "", FeatureVector.dense(a, 5), 1, 1, 0));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> learner.step(new Example("", "", FeatureVector.dense(1e200, 5), 1, 1, 0)));
    EvaluatedLearner back =
        read(Formats.EVALUATED_LEARNER, write(Formats.EVALUATED_LEARNER, learner)).on(schema);
    for (EvaluatedLearner one : List.of(learner, back)) {
      one.step(new Example("", "", lacking, 1, 1, 0));
      FeatureVector filled = one.filled(new Example("", "", lacking, Double.NaN, 1, 0), false).x();
      assertArrayEquals(new double[] {20, 5}, filled.values());
    }
    assertArrayEquals(
        write(Formats.EVALUATED_LEARNER, learner), write(Formats.EVALUATED_LEARNER, back));
  }

  @Test
  void examplesRoundTrip() throws Exception {
    for (FeatureVector x :
        List.of(
            FeatureVector.dense(1, -2.5, 0),
            FeatureVector.sparse(new int[] {3, 900}, new double[] {1, 2}),
            FeatureVector.sparse(new int[0], new double[0]))) {
      Example example = new Example("id ü", "", x, Double.NaN, 0.5, -7);
      Example back = read(Formats.EXAMPLE, write(Formats.EXAMPLE, example));
      assertEquals(example.x().toString(), back.x().toString());
      assertEquals(example.withLabel(1).withLabel(Double.NaN).id(), back.id());
      assertEquals(-7, back.time());
      assertTrue(!back.isLabelled());
    }
  }

  @Test
  void anExampleKeepsTheRecordItWasReadFrom() throws Exception {
    RawRecord origin = TestRecords.record(7);
    FeatureVector x = FeatureVector.dense(1, 2);
    Example example = new Example("7", "", x, 1, 1, 7, origin);
    Example back = read(Formats.EXAMPLE, write(Formats.EXAMPLE, example));
    BadRecord bad = BadRecord.of(back.withLabel(0), "why");
    assertArrayEquals(origin.value(), bad.record().value());
    assertArrayEquals(origin.key(), bad.record().key());
    assertEquals("test-0", bad.record().source());
    assertEquals(7, bad.record().offset());
    BadRecord again = read(Formats.BAD_RECORD, write(Formats.BAD_RECORD, bad));
    assertEquals(0, again.label());
  }

  @Test
  void whatASourceMadeOfARecordRoundTrips() throws Exception {
    Example example = new Example("7", "", FeatureVector.dense(1, 2), 1, 1, 7);
    Parsed good = new Parsed(example, null, List.of(0, 1));
    Parsed back = read(Formats.PARSED, write(Formats.PARSED, good));
    assertEquals(7, back.time());
    assertEquals(List.of(0, 1), back.unusable());
    Parsed bad = new Parsed(null, new BadRecord(TestRecords.record(7), "why"), List.of());
    back = read(Formats.PARSED, write(Formats.PARSED, bad));
    assertEquals(Long.MIN_VALUE, back.time());
    assertEquals("why", back.bad().reason());
    assertArrayEquals(TestRecords.record(7).value(), back.bad().record().value());
  }

  @Test
  void modelVersionsRoundTrip() throws Exception {
    ModelVersion model = new ModelVersion("m", Lineage.begin(5), 3, 70, new byte[] {1, 2});
    ModelVersion back = read(Formats.MODEL_VERSION, write(Formats.MODEL_VERSION, model));
    assertEquals(model.lineage(), back.lineage());
    assertEquals(3, back.version());
    assertArrayEquals(model.file(), back.file());
  }

  @Test
  void predictionsKeepTheirMark() throws Exception {
    Prediction one = new Prediction("i", "k", 2, Double.NaN, 4, 5, List.of(2.0));
    for (boolean wanted : new boolean[] {false, true}) {
      Prediction marked = one.withWantsLabel(wanted);
      byte[] bytes = write(Formats.PREDICTION, marked);
      assertEquals(marked, read(Formats.PREDICTION, bytes));
      bytes[bytes.length - 1] = 3;
      assertThrows(IOException.class, () -> read(Formats.PREDICTION, bytes));
    }
  }

  @Test
  void predictionsKeepTheirRange() throws Exception {
    for (List<Double> range :
        Arrays.asList(null, List.<Double>of(), List.of(1.5, Double.POSITIVE_INFINITY))) {
      Prediction one = new Prediction("i", "k", 2, 3, 4, 5, range);
      assertEquals(one, read(Formats.PREDICTION, write(Formats.PREDICTION, one)));
    }
    byte[] bad = write(Formats.PREDICTION, new Prediction("", "", 0, 0, 0, 0));
    bad[bad.length - 5] = 0x7F;
    assertThrows(IOException.class, () -> read(Formats.PREDICTION, bad));
  }

  @Test
  void lineagesAreInTheOrderOfTheirBeginnings() {
    String one = Lineage.begin(1_700_000_000_000L);
    String two = Lineage.begin(1_700_000_000_001L);
    assertEquals(one, UUID.fromString(one).toString());
    assertTrue(one.compareTo(two) < 0, one + " before " + two);
    assertTrue(!one.equals(Lineage.begin(1_700_000_000_000L)));
    assertEquals('7', one.charAt(14));
  }

  @Test
  void aRestoredLearnerGoesOnBitForBit() throws Exception {
    EvaluatedLearner learner = taught(321);
    EvaluatedLearner back =
        read(Formats.EVALUATED_LEARNER, write(Formats.EVALUATED_LEARNER, learner));
    EvaluatedLearner copy = Formats.EVALUATED_LEARNER.copy(learner);
    assertNotSame(learner.learner(), copy.learner());
    Learner[] learners = {learner.learner(), back.learner(), copy.learner()};
    for (Learner one : learners) {
      TestStream.teach(one, 0, 0);
    }
    Example next = new Example("", "", FeatureVector.dense(0.5, 0.5), 1, 1, 0);
    for (EvaluatedLearner one : List.of(learner, back, copy)) {
      one.step(next);
      assertEquals(322, one.instances());
      assertArrayEquals(learner.learner().toBytes(), one.learner().toBytes());
    }
    assertEquals(learner.loss(), back.loss());
  }

  @Test
  void aRestoredDetectorGoesOnBitForBit() throws Exception {
    Detector detector = Avm.detector().budget(20).calibration(50).alarm(0.05).build();
    for (int i = 0; i < 200; i++) {
      detector.detectThenLearn(FeatureVector.dense(i % 7, i % 3));
    }
    byte[] bytes = write(Formats.DETECTOR, detector);
    for (Detector one : List.of(read(Formats.DETECTOR, bytes), Formats.DETECTOR.copy(detector))) {
      Detector same = Detector.fromBytes(detector.toBytes());
      for (int i = 0; i < 50; i++) {
        FeatureVector x = FeatureVector.dense(i % 11, i % 5);
        assertEquals(same.detectThenLearn(x), one.detectThenLearn(x));
      }
      assertArrayEquals(same.toBytes(), one.toBytes());
    }
    bytes[bytes.length / 2] ^= 0x40;
    assertThrows(InvalidModelException.class, () -> read(Formats.DETECTOR, bytes));
  }

  @Test
  void detectionsRoundTrip() throws Exception {
    var why = List.of(new AnomalyExplanation.Feature(3, Double.NaN, 1.5, 0.5, 1));
    for (Detection one :
        List.of(
            new Detection("i", "k", 0.5, 1.25, false, List.of(), 9),
            new Detection("i", "", 0.005, 7, true, why, -9))) {
      byte[] bytes = write(Formats.DETECTION, one);
      assertEquals(one, read(Formats.DETECTION, bytes));
    }
  }

  @Test
  void damagedStateIsRefusedNotBelieved() throws Exception {
    byte[] good = write(Formats.EVALUATED_LEARNER, taught(50));
    for (int at = 0; at < good.length; at += 97) {
      byte[] bad = good.clone();
      bad[at] ^= 0x40;
      try {
        read(Formats.EVALUATED_LEARNER, bad);
        assertTrue(at < 32, "only the counts have no checksum, byte " + at);
      } catch (IOException | InvalidModelException e) {
        assertTrue(e.getMessage() == null || !e.getMessage().isEmpty());
      }
    }
    byte[] endless = good.clone();
    endless[32] = 0x3F;
    assertThrows(IOException.class, () -> read(Formats.EVALUATED_LEARNER, endless));
    byte[] negative = good.clone();
    negative[32] = (byte) 0xFF;
    IOException e =
        assertThrows(IOException.class, () -> read(Formats.EVALUATED_LEARNER, negative));
    assertTrue(e.getMessage().contains("bytes must be in"), e.getMessage());
  }

  @Test
  void snapshotsAndJobsHoldTheNameOfAFormat() throws Exception {
    for (WireFormat<?> format : Formats.ALL) {
      assertSame(format, InstantiationUtil.clone(format));
      checkSnapshot(format);
    }
    assertThrows(IOException.class, () -> Formats.named("Stranger"));
  }

  private static <T> void checkSnapshot(WireFormat<T> format) throws Exception {
    TypeSerializerSnapshot<T> now = format.snapshotConfiguration();
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, now);
    ClassLoader loader = format.getClass().getClassLoader();
    TypeSerializerSnapshot<T> old =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), loader);
    assertTrue(now.resolveSchemaCompatibility(old).isCompatibleAsIs());
    assertSame(format, old.restoreSerializer());
    WireFormat<?> another = format.equals(Formats.DETECTION) ? Formats.EXAMPLE : Formats.DETECTION;
    @SuppressWarnings("unchecked")
    TypeSerializerSnapshot<T> other = (TypeSerializerSnapshot<T>) another.snapshotConfiguration();
    assertTrue(now.resolveSchemaCompatibility(other).isIncompatible());
  }
}
