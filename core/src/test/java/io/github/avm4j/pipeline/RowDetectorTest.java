// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowDetectorTest {
  private static final List<String> NAMES = List.of("load", "site");
  private static final Schema SCHEMA =
      Schema.builder().number("load").category("site").build().closed();

  private static Row row(double load, String site) {
    Row row = new Row();
    row.reset(2);
    row.setNumber(0, load);
    row.setText(1, site);
    return row;
  }

  private static RowDetector trained() {
    Detector detector = Avm.detector().features(SCHEMA.dimension()).budget(16).build();
    RowEncoder encoder = SCHEMA.encoder(NAMES);
    Random random = new Random(4);
    for (int t = 0; t < 300; t++) {
      detector.detectThenLearn(
          encoder.encode(row(10 + random.nextGaussian(), t % 3 == 0 ? "north" : "south")));
    }
    return new RowDetector(SCHEMA, detector);
  }

  @Test
  void aFileHasColumnsAndState() throws Exception {
    RowDetector saved = trained();
    byte[] file = saved.toBytes();
    RowDetector read = RowDetector.read(file);
    assertEquals(SCHEMA, read.schema());
    assertArrayEquals(file, read.toBytes());
    FeatureVector odd = SCHEMA.encoder(NAMES).encode(row(50, "north"));
    assertEquals(saved.detector().pValue(odd), read.detector().pValue(odd));
    assertEquals(saved.detector().score(odd), Detector.fromBytes(file).score(odd));
    FeatureVector point = read.detector().explain(odd, 1).neighbours().get(0).example();
    assertEquals(saved.point(point), read.point(point));
    assertTrue(read.point(point).containsKey("load"), read.point(point).toString());
  }

  @Test
  void judgesRowsByName(@TempDir Path folder) throws Exception {
    RowDetector detector = trained();
    Path file = folder.resolve("d.avm");
    detector.save(file);
    double usual = detector.detectThenLearn(Map.of("load", 10, "site", "south"));
    double odd = detector.detectThenLearn(Map.of("load", 50, "site", "south"));
    assertTrue(odd < usual, odd + " and " + usual);
    assertEquals(302, detector.detector().instances());
    assertEquals(
        usual, RowDetector.read(file).detectThenLearn(Map.of("load", "10", "site", "south")));
    assertTrue(detector.toString().startsWith("detector: 302 instances, "), detector.toString());
  }

  @Test
  void aDetectorOfVectorsHasNumberedFeatures() throws Exception {
    Detector detector = Avm.detector().budget(16).build();
    detector.detectThenLearn(FeatureVector.dense(1, 2));
    assertTrue(RowDetector.isDetector(detector.toBytes()));
    RowDetector read = RowDetector.read(detector.toBytes());
    assertTrue(read.schema().isNumbered());
    assertEquals(2, read.detector().features());
    assertThrows(
        IllegalArgumentException.class,
        () -> new RowDetector(Schema.builder().number("alone").build(), detector));
  }

  @Test
  void otherFilesAreNoDetectors() {
    Learner learner = Avm.classifier().build();
    learner.learn(FeatureVector.dense(1, 2), 1);
    for (byte[] file :
        List.of(
            new byte[0], new byte[40], learner.toBytes(), Arrays.copyOf(learner.toBytes(), 9))) {
      assertFalse(RowDetector.isDetector(file));
      assertThrows(InvalidModelException.class, () -> RowDetector.read(file));
    }
    RowDetector detector = trained();
    RowLearner rows = RowLearner.classifier(SCHEMA).build();
    assertFalse(RowDetector.isDetector(rows.toBytes()));
    assertThrows(InvalidModelException.class, () -> RowModel.read(detector.toBytes()));
  }

  /** Damage anywhere is refused; whether it still looks like a detector does not matter. */
  @Test
  void damagedFilesAreRefused() {
    byte[] file = trained().toBytes();
    Random random = new Random(Long.getLong("avm4j.seed", 9));
    for (int n = 0; n < 500; n++) {
      byte[] damaged = n % 4 == 0 ? Arrays.copyOf(file, random.nextInt(file.length)) : file.clone();
      if (damaged.length == file.length) {
        damaged[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
      }
      RowDetector.isDetector(damaged);
      assertThrows(InvalidModelException.class, () -> RowDetector.read(damaged));
    }
  }
}
