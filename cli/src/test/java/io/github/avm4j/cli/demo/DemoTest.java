// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command avm demo shows a change, the error it causes, and how the learner recovers. */
class DemoTest {
  private static final Pattern WINDOW = Pattern.compile(" *([0-9,]+) +([0-9.]+)   [|][#o ]*");

  @TempDir Path folder;

  @Test
  void showsTheChangeAndTheRecovery() throws IOException {
    Path file = folder.resolve("demo.csv");
    Avm.Result demo = Avm.run("demo", "-o", file);
    assertEquals(0, demo.code(), demo.err());
    Map<Integer, Double> errors = new TreeMap<>();
    int change = 0;
    List<String> lines = demo.out().lines().toList();
    for (String line : lines) {
      assertTrue(line.length() <= 80 || line.contains(file.toString()), line);
      Matcher window = WINDOW.matcher(line);
      if (window.matches()) {
        int rows = Integer.parseInt(window.group(1).replace(",", ""));
        errors.put(rows, Double.parseDouble(window.group(2)));
      }
      change = line.contains("the disc moves --") ? lines.indexOf(line) : change;
    }
    assertEquals(MovingDisc.ROWS / DemoRun.WINDOW, errors.size(), demo.out());
    double before = errors.get(MovingDisc.CHANGE);
    double after = errors.get(MovingDisc.CHANGE + DemoRun.WINDOW);
    double end = errors.get(MovingDisc.ROWS);
    assertTrue(before < 10 && after > 2 * before && end < 10, demo.out());
    String later = String.join("\n", lines.subList(change, lines.size()));
    assertTrue(change > 0 && later.contains("-> the stream has changed: a learner"), demo.out());
    assertTrue(later.contains("avm evaluate " + file), "a hint that can be run");
    List<String> rows = Files.readAllLines(file);
    assertEquals("x1,x2,label", rows.get(0));
    assertEquals(1 + MovingDisc.ROWS, rows.size());
  }

  @Test
  void theStreamFollowsItsSeed() throws IOException {
    assertEquals(csv(1), csv(1));
    assertNotEquals(csv(1), csv(2));
  }

  @Test
  void aShareOfTheLabelsIsWrongAndTheDiscMoves() {
    MovingDisc stream = new MovingDisc(3);
    int[] wrong = new int[2];
    int[] wrongByTheFirstDisc = new int[2];
    for (int row = 0; stream.next(); row++) {
      int half = row < MovingDisc.CHANGE ? 0 : 1;
      boolean label = stream.y() == 1;
      wrong[half] += inDisc(stream, half * 0.5) == label ? 0 : 1;
      wrongByTheFirstDisc[half] += inDisc(stream, 0) == label ? 0 : 1;
    }
    for (int half = 0; half < 2; half++) {
      assertEquals(MovingDisc.NOISE, wrong[half] / (double) MovingDisc.CHANGE, 0.01);
    }
    assertTrue(wrongByTheFirstDisc[1] > 0.3 * MovingDisc.CHANGE);
  }

  private static boolean inDisc(MovingDisc stream, double centre) {
    double squared = 0;
    for (int i = 0; i < stream.x().count(); i++) {
      squared += Math.pow(stream.x().get(i) - centre, 2);
    }
    return squared < 0.6;
  }

  private static String csv(long seed) throws IOException {
    StringBuilder text = new StringBuilder();
    new MovingDisc(seed).writeCsv(text);
    return text.toString();
  }
}
