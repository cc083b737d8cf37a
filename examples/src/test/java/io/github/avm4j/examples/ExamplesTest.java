// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    String line = printed(file);
    Matcher figures =
        Pattern.compile(
                "(\\d+) mistakes in 2000 rows, (\\d+) core points, (\\d+) δ-cells,"
                    + " regret of the average at most ([0-9.e+]+) \\(Theorem 5\\)")
            .matcher(line.strip());
    assertTrue(figures.matches(), line);
    assertTrue(Integer.parseInt(figures.group(1)) < 200, line);
    assertEquals(figures.group(2), figures.group(3), "each cell has its core point");
  }

  private static String printed(Path file) throws IOException {
    PrintStream console = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream capture = new PrintStream(bytes, true, UTF_8)) {
      System.setOut(capture);
      Algorithm2.main(new String[] {file.toString()});
    } finally {
      System.setOut(console);
    }
    return bytes.toString(UTF_8);
  }

  /** The page shows the program as it stands, in at most 15 lines. */
  @Test
  void thePaperMapShowsAlgorithm2() throws IOException {
    Path source = Path.of("src/main/java/io/github/avm4j/examples/Algorithm2.java");
    String page = Files.readString(Path.of("..", "docs", "paper-map.md"));
    int start = page.indexOf("```java\n") + 8;
    String program = page.substring(start, page.indexOf("```", start));
    assertTrue(program.lines().count() <= 15, program);
    String body = program.indent(4);
    assertTrue(Files.readString(source).contains("IOException {\n" + body + "  }\n"), body);
  }

  @Test
  void kotlin() {
    assertTrue(SlopeKt.meanMiss(10_000) < 0.1);
  }
}
