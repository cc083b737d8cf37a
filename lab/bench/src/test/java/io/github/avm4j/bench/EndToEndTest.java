// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.bench.EndToEnd.Pass;
import io.github.avm4j.bench.EndToEnd.Setting;
import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndToEndTest {
  @TempDir Path folder;

  @Test
  void numpyAndJavaAgreeOnSizeAndMistakes() throws IOException {
    assumeTrue(Programs.works("python3", "-c", "import numpy"), "no python3 with numpy here");
    for (int cap : new int[] {0, 20}) {
      Setting setting = new Setting("noise", List.of("noise"), 3, false, 2, 0.5, "16/n", cap);
      List<String> lines = noise();
      Pass numpy = EndToEnd.numpy(setting, Files.write(folder.resolve("noise"), lines), folder);
      Pass java = pass(setting, LibsvmFile.lines(folder, "noise"));
      assertEquals(numpy.size(), java.size());
      assertEquals(numpy.mistakes(), java.mistakes());
      assertTrue(cap == 0 ? java.size() > 20 : java.size() == 20);
    }
  }

  @Test
  void denseAndSparseRowsGiveTheSamePass() {
    List<String> lines = noise();
    Pass dense = pass(new Setting("noise", List.of(), 3, false, 2, 0.5, "1e-3", 0), lines);
    Pass sparse = pass(new Setting("noise", List.of(), 3, true, 2, 0.5, "1e-3", 0), lines);
    assertEquals(dense.size(), sparse.size());
    assertEquals(dense.mistakes(), sparse.mistakes());
    assertTrue(dense.mistakes() > 0 && dense.mistakes() < lines.size() / 2);
  }

  private static Pass pass(Setting setting, List<String> lines) {
    int dense = setting.sparse() ? 0 : setting.features();
    return EndToEnd.pass(
        setting.config(lines.size()),
        lines.stream().map(l -> LibsvmFile.vector(l, dense)).toArray(FeatureVector[]::new),
        lines.stream().mapToDouble(LibsvmFile::label).toArray());
  }

  private static List<String> noise() {
    Random random = new Random(5);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double[] x = random.doubles(3).toArray();
      String label = x[0] * x[1] + 0.1 * random.nextGaussian() > 0.25 ? "+1" : "-1";
      lines.add(String.format(Locale.ROOT, "%s 1:%.6f 2:%.6f 3:%.6f", label, x[0], x[1], x[2]));
    }
    return lines;
  }
}
