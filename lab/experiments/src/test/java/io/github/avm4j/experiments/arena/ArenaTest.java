// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.Results;
import io.github.avm4j.experiments.defaults.StreamData;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.OnlineLearner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The arena on two small streams, from files to the page. */
class ArenaTest {
  private static final int ROWS = 300;

  @TempDir Path folder;

  /** The colour decides; a tenth of the labels is wrong in the second stream. */
  @BeforeEach
  void generate() throws Exception {
    Files.createDirectories(folder.resolve("data/generated"));
    for (String name : new String[] {"sea", "led"}) {
      Random random = new Random(1);
      StringBuilder text = new StringBuilder("a1,a2,a3,class\n");
      for (int i = 0; i < ROWS; i++) {
        boolean red = random.nextBoolean();
        boolean noise = name.equals("led") && random.nextInt(10) == 0;
        String cells = String.join(",", "" + random.nextDouble(), red ? "red" : "blue");
        String flag = i % 7 == 0 ? "4" : i % 11 == 0 ? "" : "9";
        text.append(cells).append(',').append(flag);
        text.append(red != noise ? ",c1\n" : ",c0\n");
      }
      Files.writeString(folder.resolve("data/generated/" + name + ".csv"), text);
    }
  }

  private String run(int status, String... more) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--data",
                folder.resolve("data").toString(),
                "--tables",
                folder.resolve("tables").toString(),
                "--results",
                results().toString(),
                "--memory",
                "300m"));
    args.addAll(List.of(more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream progress = new PrintStream(out, true, StandardCharsets.UTF_8);
    int code = Arena.run(args.toArray(String[]::new), progress);
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(status, code, text);
    return text;
  }

  private Path results() {
    return folder.resolve("arena.jsonl");
  }

  private JsonNode result(String stream, String learner) throws Exception {
    return new Results(results()).of(Arena.key(stream, learner, 0)).orElseThrow();
  }

  @Test
  void runsEveryEntryOnceAndGoesOnWhereItWasStopped() throws Exception {
    String[] entries = {"--only", "sea,led,nycflights-late", "--learners", "avm,majority,table"};
    String text = run(0, entries);
    assertTrue(text.contains("nycflights-late: skipped, its files are not in"), text);
    assertTrue(text.contains("6 entries to run"), text);
    assertEquals(7, Files.readAllLines(results()).size(), "six entries and the environment");
    assertTrue(result("sea", "table").get("error").asDouble() < 2);
    assertTrue(result("sea", "avm").get("error").asDouble() < 10);
    assertTrue(result("sea", "majority").get("error").asDouble() > 30);
    assertEquals(20, result("led", "avm").get("parts").size());
    assertEquals(ROWS, result("led", "avm").get("seen").asInt());
    assertTrue(run(0, entries).contains("0 entries to run"));
    assertEquals(7, Files.readAllLines(results()).size());
    String page = Files.readString(folder.resolve("tables/arena.md"));
    assertTrue(page.contains("| sea | 300 | "), page);
    assertTrue(page.contains("Mean ranks** of 3 learners on 2 streams (sea, led)"), page);
    Path picture = folder.resolve("tables/images/arena-classification.svg");
    assertTrue(Files.readString(picture).contains("Table"));

    // The last line is cut, as by a process that was ended while it wrote.
    String all = Files.readString(results());
    Files.writeString(results(), all.substring(0, all.length() - 20));
    assertTrue(run(0, entries).contains("1 entries to run"));
    assertEquals(6, new Results(results()).all().size());

    // An entry that ran out of time runs again when there is more of it, and only then.
    String line = result("led", "majority").toString();
    String early =
        line.replace("\"done\"", "\"out of time\"").replaceAll("\"limit\":[^,]*", "\"limit\":9");
    Files.writeString(results(), Files.readString(results()) + early + "\n");
    assertTrue(
        run(0, "--only", "led", "--learners", "majority", "--seconds", "9").contains("0 ent"));
    page = Files.readString(folder.resolve("tables/arena.md"));
    assertTrue(page.contains("out of time after 300"), page);
    assertTrue(
        run(0, "--only", "led", "--learners", "majority", "--seconds", "10").contains("1 ent"));
    assertEquals("done", result("led", "majority").get("status").asText());
  }

  @Test
  void timesOfABusyMachineAreLeftOut() throws Exception {
    String[] entry = {"--only", "sea", "--learners", "avm,majority"};
    run(0, entry);
    assertTrue(result("sea", "avm").has("micros"));
    run(0, "--again", "--untimed", "--only", "sea", "--learners", "avm");
    assertFalse(result("sea", "avm").toString().contains("econds"), "a time");
    String page = Files.readString(folder.resolve("tables/arena.md"));
    assertTrue(page.matches("(?s).*\\| sea \\| 300 \\| [*0-9.]+ \\| [0-9.]+ · .*"), page);
  }

  @Test
  void theTextAroundTheResultsStays() throws Exception {
    Path page = Files.createDirectories(folder.resolve("tables")).resolve("arena.md");
    Files.writeString(
        page, "before\n" + ArenaReport.BEGIN + "obsolete" + ArenaReport.END + "\nafter\n");
    run(0, "--report");
    String text = Files.readString(page);
    assertTrue(text.startsWith("before\n") && text.endsWith("\nafter\n"), text);
    assertFalse(text.contains("obsolete"), text);
    assertTrue(text.contains("NOGD, Table\n"), text);
  }

  @Test
  void whatIsUnknownIsRefused() throws Exception {
    assertTrue(run(2, "--only", "ses").contains("no stream is called 'ses'"));
    assertTrue(run(2, "--learners", "afm").contains("no learner is called afm"));
    assertTrue(run(2, "--rows", "-3").contains("--rows must be a whole number > 0, was -3"));
    assertTrue(run(0, "--list").contains("CLASSIFICATION table (Table)"));
  }

  @Test
  void attributesKeepCategoriesAndMissingCells() throws Exception {
    AttributeRows rows = AttributeRows.read(ArenaStream.of("sea"), folder.resolve("data"));
    assertEquals(ROWS, rows.data().size());
    assertEquals(List.of(0.0, 1.0), rows.header().labels());
    assertFalse(rows.header().attributes().get(0).isNominal());
    assertEquals(2, rows.header().attributes().get(1).values().size());
    // Two values only: an attribute of two categories.
    assertEquals(List.of("4.0", "9.0"), rows.header().attributes().get(2).values());
    FeatureVector first = rows.data().x().get(0);
    assertEquals(0, first.values()[2]);
    assertEquals(1, rows.data().x().get(1).values()[2]);
    assertTrue(Double.isNaN(rows.data().x().get(11).values()[2]));
  }

  /** A learner that is stopped by the time says where, and what its error was until then. */
  @Test
  void aPassEndsWithItsTime() {
    List<FeatureVector> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      x.add(FeatureVector.dense(new double[] {i}));
      y.add((double) (i % 2));
    }
    StreamData data = new StreamData("coins", Task.CLASSIFICATION, true, x, y);
    OnlineLearner same =
        Entrant.all(Task.CLASSIFICATION, List.of())
            .get(2)
            .method()
            .orElseThrow()
            .create(Task.CLASSIFICATION, io.github.avm4j.baselines.Settings.standard());
    Pass none = Pass.of(data, data.order(1), 200, same, -1);
    assertEquals(Pass.Status.OUT_OF_TIME, none.status());
    assertEquals(16, none.seen());
    assertEquals(List.of(100.0), none.parts());
    Pass whole = Pass.of(data, data.order(1), 200, same, 1000);
    assertEquals(Pass.Status.DONE, whole.status());
    assertEquals(20, whole.parts().size());
    assertEquals(100, whole.error(), 1);
  }

  /** The run without rows left out is the arena's own. */
  @Test
  void severalStartsOfOneStream() throws Exception {
    run(0, "--only", "led", "--learners", "avm");
    double whole = result("led", "avm").get("error").asDouble();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
    assertEquals(whole, Starts.run(folder.resolve("data"), "led", List.of(0), lines), 1e-4);
    Starts.run(folder.resolve("data"), "led", List.of(0, 100), lines);
    String text = out.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("led without 100 rows: "), text);
    assertTrue(text.contains("mean of 2: "), text);
  }
}
