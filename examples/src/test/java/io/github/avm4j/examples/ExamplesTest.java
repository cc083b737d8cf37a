// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesTest {
  @TempDir Path folder;

  @Test
  void learnSaveExport() throws IOException {
    LearnSaveExport.main(new String[] {folder.toString()});
    assertEquals(5000, Avm.loadLearner(folder.resolve("model.avm")).instances());
    assertTrue(Files.size(folder.resolve("model.onnx")) > 1000);
    assertTrue(LearnSaveExport.learn(Avm.classifier().build(), new Random(2), 5000) < 0.1);
  }

  @Test
  void serviceRemembers() throws IOException {
    Path file = folder.resolve("service.avm");
    try (OnlineModelService service = new OnlineModelService(file)) {
      assertTrue(Double.isNaN(service.predict(new double[] {1})));
      for (int i = 0; i < 200; i++) {
        service.learn(new double[] {i % 2 == 0 ? 1 : -1}, i % 2);
      }
      assertEquals(0, service.predict(new double[] {1}));
      assertEquals(1, service.predict(new double[] {-1}));
    }
    try (OnlineModelService again = new OnlineModelService(file)) {
      assertEquals(1, again.predict(new double[] {-1}));
    }
  }

  @Test
  void algorithm2() throws IOException {
    Random random = new Random(3);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      rows.append("%s 1:%.4f 2:%.4f%n".formatted(a * a + b * b > 1.5 ? "+1" : "-1", a, b));
    }
    Path file = Files.writeString(folder.resolve("ring.libsvm"), rows);
    String line = Algorithm2.run(file, 1, 0.5, 0.001);
    assertTrue(
        line.matches(
            "2000 rows, \\d\\.\\d\\d % mistakes, (\\d+) core points in \\1 cells,"
                + " regret at most [0-9.e+]+"),
        line);
  }

  @Test
  void kotlin() {
    assertTrue(SlopeKt.meanMiss(10_000) < 0.1);
  }
}
