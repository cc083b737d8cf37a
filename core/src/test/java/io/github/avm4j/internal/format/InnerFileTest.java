// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.model.InvalidModelException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The file of a cell or of a challenger has no sections that only a whole learner's file has. */
class InnerFileTest {
  private static final List<Integer> OF_A_WHOLE_LEARNER =
      List.of(
          Sections.CELLS,
          Sections.RENEWAL,
          Sections.CALIBRATION,
          Sections.FIT,
          Sections.SUDDEN_RISE);

  @Test
  void sectionsOfAWholeLearnerAreRefused() throws InvalidModelException {
    AutoLearner learner = Avm.classifier().build();
    for (int t = 0; t < 20; t++) {
      learner.learn(new double[] {t, t % 3}, t % 2);
    }
    byte[] file = learner.toBytes();
    assertNotNull(TunedFormat.inner(innerSections(file), "a cell"));
    for (int section : OF_A_WHOLE_LEARNER) {
      Map<Integer, ByteReader> forged = innerSections(file);
      forged.put(section, new ByteReader(new byte[] {1}, 0, 1, "forged"));
      assertThrows(InvalidModelException.class, () -> TunedFormat.inner(forged, "a cell"));
    }
  }

  private static Map<Integer, ByteReader> innerSections(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = new TreeMap<>(Sections.read(file));
    sections.keySet().removeAll(OF_A_WHOLE_LEARNER);
    return sections;
  }
}
