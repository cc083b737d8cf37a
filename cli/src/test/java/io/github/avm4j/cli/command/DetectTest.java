// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.report.AlarmTally;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.pipeline.RowDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetectTest {
  @TempDir Path folder;

  /** Two numbers, a category and a label; every 200th row has a number that is far off. */
  private Path data() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder("id,load,heat,site,state\n");
    for (int i = 1; i <= 3000; i++) {
      boolean odd = i % 200 == 0;
      text.append("r").append(i).append(',').append(10 + random.nextGaussian()).append(',');
      text.append(odd ? 99 : 20 + random.nextGaussian()).append(',');
      text.append(i % 3 == 0 ? "north" : "south").append(odd ? ",bad\n" : ",ok\n");
    }
    return Files.writeString(folder.resolve("plant.csv"), text);
  }

  @Test
  void oneLinePerRowAndWhyForAlarms() throws IOException {
    Avm.Result result =
        Avm.run("detect", data(), "--label", "state", "--normal", "ok", "--keep", "id");
    assertEquals(0, result.code(), result.err());
    List<String> lines = result.out().lines().toList();
    assertEquals(3001, lines.size());
    assertEquals("row,id,p_value,score,alarm,features", lines.get(0));
    String odd = lines.get(2000);
    assertTrue(odd.startsWith("2000,r2000,"), odd);
    assertTrue(
        odd.contains(",1,\"heat=99 (expected 2") || odd.contains(",1,\"heat=99 (expected 1"), odd);
    assertTrue(result.err().contains("3,000 rows, "), result.err());
    assertTrue(result.err().contains("15 anomalies by their labels: AUC 1.0000"), result.err());
    assertTrue(result.err().contains("alarms on 100.00 % of them and on "), result.err());
  }

  /** The file has the columns and all that was learned: it judges as the run would have gone on. */
  @Test
  void theDetectorIsSavedWithItsColumns() throws IOException {
    Path file = folder.resolve("plant.avm");
    Avm.Result result =
        Avm.run("detect", data(), "--label", "state", "--drop", "id", "--save", file, "-q");
    assertEquals(0, result.code(), result.err());
    RowDetector saved = RowDetector.read(Files.readAllBytes(file));
    List<String> names = saved.schema().columns().stream().map(Column::name).toList();
    assertTrue(names.containsAll(List.of("load", "heat", "site")), names.toString());
    assertFalse(names.contains("state"), names.toString());
    assertEquals(3000, saved.detector().instances());
    RowEncoder encoder = saved.schema().encoder(List.of("load", "heat", "site"));
    Row row = new Row();
    for (double heat : new double[] {20, 99}) {
      row.reset(3);
      row.setNumber(0, 10);
      row.setNumber(1, heat);
      row.setText(2, "north");
      double p = saved.detector().pValue(encoder.encode(row));
      assertEquals(heat > 90, saved.detector().isAlarm(p), heat + ": " + p);
    }
    Avm.Result nowhere = Avm.run("detect", data(), "--save", folder.resolve("no/plant.avm"));
    assertEquals(1, nowhere.code());
    assertTrue(nowhere.err().contains("its folder does not exist"), nowhere.err());
  }

  /** Without --label every column is a feature, whatever its name. */
  @Test
  void aColumnThatIsCalledAsLabelsAreIsAFeature() throws IOException {
    StringBuilder text = new StringBuilder("x,y\n");
    Random random = new Random(5);
    for (int i = 1; i <= 1500; i++) {
      text.append(random.nextGaussian()).append(',');
      text.append(i == 1400 ? 99 : random.nextGaussian()).append('\n');
    }
    Path file = Files.writeString(folder.resolve("move.csv"), text);
    Avm.Result result = Avm.run("detect", file);
    assertEquals(0, result.code(), result.err());
    String odd = result.out().lines().toList().get(1400);
    assertTrue(odd.contains(",1,\"y=99 (expected "), odd);
    Avm.Result mistyped = Avm.run("detect", file, "--label", "stat");
    assertEquals(1, mistyped.code());
    assertTrue(mistyped.err().contains("no column \"stat\" for the label"), mistyped.err());
  }

  @Test
  void normalIsANumberOrATextAsInTheFile() throws IOException {
    StringBuilder text = new StringBuilder();
    Random random = new Random(5);
    for (int i = 1; i <= 1500; i++) {
      text.append(i % 100 == 0 ? "-1 1:" : "+1 1:").append(random.nextGaussian()).append('\n');
    }
    Path file = Files.writeString(folder.resolve("rows.libsvm"), text);
    Avm.Result result = Avm.run("detect", file, "--normal", "+1");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.err().contains("15 anomalies by their labels"), result.err());
    Avm.Result small = Avm.run("detect", file, "--alarm", "1e-9");
    assertTrue(small.err().contains("--alarm must be at least 0.000001"), small.err());
  }

  @Test
  void onlyAlarmsAndTheLevel() throws IOException {
    Path out = folder.resolve("alarms.csv");
    Object[] command = {
      "detect", data(), "--ignore", "id,state", "--only-alarms", "--alarm", "0.1", "-o", out
    };
    Avm.Result result = Avm.run(command);
    assertEquals(0, result.code(), result.err());
    assertEquals("", result.out());
    int alarms = Files.readAllLines(out).size() - 1;
    assertTrue(alarms > 200 && alarms < 400, alarms + " alarms");
    assertTrue(Files.readAllLines(out).stream().skip(1).allMatch(l -> l.contains(",1,")));
  }

  @Test
  void libsvmRowsHaveNumberedFeatures() throws IOException {
    StringBuilder text = new StringBuilder();
    Random random = new Random(4);
    for (int i = 1; i <= 1200; i++) {
      text.append(i == 1100 ? "-1 1:50" : "1 1:" + random.nextGaussian()).append(" 3:1\n");
    }
    Path rows = Files.writeString(folder.resolve("rows.libsvm"), text);
    Avm.Result result = Avm.run("detect", rows, "--normal", "1", "--only-alarms");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().contains("\n1100,"), result.out());
    assertTrue(result.err().contains("1 anomalies"), result.err());
    Files.writeString(rows, text + "1 9:1\n");
    Avm.Result wide = Avm.run("detect", rows);
    assertEquals(1, wide.code());
    assertTrue(wide.lastError().contains("features"), wide.lastError());
    assertEquals(0, Avm.run("detect", rows, "--features", "9").code());
  }

  @Test
  void mistakesAreNamed() throws IOException {
    Path data = data();
    Avm.Result level = Avm.run("detect", data, "--alarm", "2");
    assertEquals(2, level.code());
    assertTrue(level.err().contains("--alarm must be in (0, 0.5], was 2"), level.err());
    Avm.Result label = Avm.run("detect", data, "--normal", "ok");
    assertEquals(2, label.code());
    assertTrue(label.err().contains("--normal needs --label"), label.err());
    assertEquals(2, Avm.run("detect").code());
    Avm.Result absent = Avm.run("detect", folder.resolve("none.csv"));
    assertTrue(absent.code() != 0 && absent.err().contains("none.csv"), absent.err());
  }

  @Test
  void aucCountsTiesHalf() {
    AlarmTally tally = new AlarmTally();
    for (double score : new double[] {1, 2, 2, 3}) {
      tally.add(score, false, false);
    }
    tally.add(2, false, true);
    tally.add(9, true, true);
    assertEquals((2.0 + 4.0) / 8, tally.auc(), 1e-12);
  }
}
