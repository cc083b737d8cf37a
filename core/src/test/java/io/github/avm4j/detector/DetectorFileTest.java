// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of detectors: kept for ever, and hostile ones. */
class DetectorFileTest {
  private static final String GOLDEN = "v1-detector";

  private static Detector trained() {
    Detector detector = Avm.detector().budget(20).calibration(100).seed(7).build();
    Random random = new Random(1);
    for (int t = 0; t < 500; t++) {
      detector.detectThenLearn(row(random, t));
    }
    detector.feedback(FeatureVector.dense(1, 1, 1), true);
    detector.feedback(FeatureVector.dense(4, 4, 0), false);
    return detector;
  }

  private static FeatureVector row(Random random, int t) {
    double size = t % 40 == 39 ? 30 : 1;
    return FeatureVector.dense(size * random.nextGaussian(), random.nextDouble(), t % 2);
  }

  private static List<FeatureVector> probes() {
    Random random = new Random(2);
    List<FeatureVector> probes = new ArrayList<>();
    for (int t = 0; t < 40; t++) {
      probes.add(row(random, t));
    }
    return probes;
  }

  /** Writes the golden file and what it must give for ever, into the folder given. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Detector detector = trained();
    Avm.save(detector, folder.resolve(GOLDEN + ".avm"));
    List<String> lines = new ArrayList<>();
    for (FeatureVector x : probes()) {
      lines.add(detector.score(x) + " " + detector.pValue(x));
    }
    Files.write(folder.resolve(GOLDEN + ".txt"), lines);
  }

  private static byte[] golden(String ending) throws IOException {
    try (InputStream in =
        DetectorFileTest.class.getResourceAsStream("/golden/" + GOLDEN + ending)) {
      assertTrue(in != null, GOLDEN + ending + " is missing");
      return in.readAllBytes();
    }
  }

  @Test
  void goldenScoresAreWhatTheyWere() throws IOException {
    Detector detector = Detector.fromBytes(golden(".avm"));
    assertEquals(500, detector.instances());
    List<String> lines = new String(golden(".txt"), StandardCharsets.UTF_8).lines().toList();
    List<FeatureVector> probes = probes();
    assertEquals(probes.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      String[] expected = lines.get(i).split(" ", -1);
      double score = detector.score(probes.get(i));
      assertEquals(Double.parseDouble(expected[0]), score, 1e-9 * (1 + Math.abs(score)));
      assertEquals(Double.parseDouble(expected[1]), detector.pValue(probes.get(i)), 1e-9);
    }
  }

  @Test
  void savesAndLoads(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("detector.avm");
    Detector detector = trained();
    Avm.save(detector, file);
    assertEquals(detector.instances(), Avm.loadDetector(file).instances());
    String model =
        assertThrows(InvalidModelException.class, () -> Avm.loadModel(file)).getMessage();
    assertTrue(model.contains("detector"), model);
    String learner =
        assertThrows(InvalidModelException.class, () -> Avm.loadLearner(file)).getMessage();
    assertTrue(learner.contains("detector"), learner);
    Avm.save(Avm.classifier().build(), file);
    String none =
        assertThrows(InvalidModelException.class, () -> Avm.loadDetector(file)).getMessage();
    assertTrue(none.contains("no detector"), none);
  }

  /** A damaged payload under a checksum that fits is refused, or gives a detector that works. */
  @Test
  void damagedFilesAreRefusedOrWork() throws IOException {
    byte[] file = trained().toBytes();
    Map<Integer, byte[]> payloads = new TreeMap<>();
    for (Map.Entry<Integer, ByteReader> section : Sections.read(file).entrySet()) {
      payloads.put(section.getKey(), section.getValue().raw(section.getValue().remaining()));
    }
    Random random = new Random(77);
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
      byte[] damaged = payloads.get(Sections.DETECTOR).clone();
      int head = random.nextBoolean() ? 120 : damaged.length;
      for (int k = 0; k <= random.nextInt(3); k++) {
        damaged[random.nextInt(head)] = (byte) random.nextInt(256);
      }
      Map<Integer, byte[]> changed = new TreeMap<>(payloads);
      changed.put(Sections.DETECTOR, damaged);
      try {
        Detector read = Detector.fromBytes(Sections.write(changed));
        for (FeatureVector x : probes()) {
          double p = read.detectThenLearn(x);
          assertTrue(p > 0 && p <= 1, "p " + p);
        }
      } catch (InvalidModelException e) {
        refused++;
      }
    }
    assertTrue(refused > 500, refused + " refused");
  }

  /** A small file may not make the reader allocate much more than its own settings allow. */
  @Test
  void lengthsAreCheckedBeforeAllocation() throws IOException {
    byte[] file = trained().toBytes();
    ByteReader section = Sections.read(file).get(Sections.DETECTOR);
    byte[] payload = section.raw(section.remaining());
    // The declared number of features.
    int at = 8 + 4 + 8 + 8 + 4 + 1;
    payload[at + 2] = 0x7F;
    byte[] hostile =
        Sections.write(
            Map.of(
                Sections.PROVENANCE,
                Sections.read(file).get(Sections.PROVENANCE).again().raw(0),
                Sections.DETECTOR,
                payload));
    assertThrows(InvalidModelException.class, () -> Detector.fromBytes(hostile));
    long bytes = Allocation.of(() -> Detector.fromBytes(hostile));
    assertTrue(bytes < 100_000, bytes + " bytes");
  }
}
