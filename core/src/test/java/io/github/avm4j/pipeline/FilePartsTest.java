// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FilePartsTest {
  @Test
  void addUpAndTellTheModelFromTheLearner() throws Exception {
    Learner learner = Avm.classifier().build();
    Random random = new Random(1);
    for (int i = 0; i < 700; i++) {
      double x = random.nextGaussian();
      learner.learn(new double[] {x, random.nextGaussian()}, x > 0 ? 1 : 0);
    }
    byte[] file = learner.toBytes();
    Map<String, Integer> parts = FileParts.of(file);
    assertEquals(file.length, parts.values().stream().mapToInt(Integer::intValue).sum());
    assertTrue(parts.get("state of the learner") > 700 * 2 * Double.BYTES, "" + parts);
    Map<String, Integer> frozen = FileParts.of(Avm.toBytes(learner.snapshot()));
    assertTrue(frozen.get("model") > 0, "" + frozen);
    assertTrue(!frozen.containsKey("what the model needs to go on learning"), "" + frozen);
    assertTrue(!frozen.containsKey("other") && !parts.containsKey("other"));
    assertThrows(InvalidModelException.class, () -> FileParts.of(Arrays.copyOf(file, 99)));
  }
}
