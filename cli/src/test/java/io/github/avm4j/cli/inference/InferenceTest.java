// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.pipeline.Inference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say of columns, and that all of them encode alike. */
class InferenceTest {
  @TempDir Path folder;

  /** Customers, of whom who lives in some towns buys; the towns come one after another. */
  private static String customers(int rows, int towns) {
    Random random = new Random(5);
    StringBuilder text = new StringBuilder("customer_id,email,since,town,income,notes,bought\n");
    for (int i = 0; i < rows; i++) {
      int town = random.nextInt(Math.min(towns, 20 + i / 10));
      text.append(4000 + i).append(",u").append(i).append("@example.org,");
      text.append(1 + i % 28).append('/').append(1 + i % 12).append("/2023,town").append(town);
      text.append(",\"$").append(20 + i % 60).append(",0").append(10 + i % 90).append("\",");
      text.append("called on day ").append(i).append(" and asked,");
      text.append(town % 3 == 0 ? "yes\n" : "no\n");
    }
    return text.toString();
  }

  @Test
  void everyInferenceIsSaid() throws IOException {
    Path data = Files.writeString(folder.resolve("c.csv"), customers(200, 30));
    String said = Avm.run("evaluate", data).err();
    for (String line :
        new String[] {
          "from 1 number, 1 category [town], 1 date [since], 3 dropped [customer_id, email,"
              + " notes] columns",
          "task: classification, because the labels are texts",
          "not used, identifiers (nearly every value occurs once): customer_id, email; --number or"
              + " --category customer_id uses it",
          "dates read as dd/MM/yyyy: since",
          "numbers parsed from texts such as '$20,010': income",
          "not used, free text: notes; words are not features"
        }) {
      assertTrue(said.contains(line), said);
    }
    String forced = Avm.run("evaluate", data, "--number", "customer_id").err();
    assertTrue(forced.contains("from 2 number, "), forced);
    assertTrue(forced.contains("(nearly every value occurs once): email; "), forced);
  }

  /** Flats whose area has a unit; where age or income is not known, -999 stands for it. */
  private static List<Map<String, Object>> flats() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("age", i % 8 == 0 ? -999 : 20 + i % 60);
      row.put("income", i % 5 == 0 ? -999 : 1000 + 7 * i % 900);
      row.put("area", 40 + i * 7 % 90 + (i % 3 == 0 ? " m2" : i % 3 == 1 ? " sqm" : ""));
      row.put("bought", i % 3 == 0 ? "yes" : "no");
      rows.add(row);
    }
    return rows;
  }

  @Test
  void codesForMissingNumbersAndUnitsAreSaidInTheCommandAndInJava() throws IOException {
    StringBuilder text = new StringBuilder("age,income,area,bought\n");
    for (Map<String, Object> row : flats()) {
      row.values().forEach(cell -> text.append(cell).append(','));
      text.setCharAt(text.length() - 1, '\n');
    }
    Path data = Files.writeString(folder.resolve("flats.csv"), text);
    String code =
        "column age has -999 in 50 of 400 rows, far below its other values (also income); if that"
            + " means missing, use --missing -999";
    String unit =
        "column area looks like numbers with a unit (\"40 m2\"); it is read as text. Remove the"
            + " unit to have it as a number.";
    String said = Avm.run("evaluate", data).err();
    for (String line : List.of(code, unit)) {
      assertTrue(said.lines().anyMatch(line::equals), said);
      assertTrue(Inference.of(flats(), "bought").notes().contains(line));
    }
    Avm.Result followed = Avm.run("evaluate", data, "--missing", "-999");
    assertEquals(0, followed.code(), followed.err());
    assertFalse(followed.err().contains("means missing"), followed.err());
  }

  @Test
  void townsThatComeLaterAreLearned() throws IOException {
    Path data = Files.writeString(folder.resolve("c.csv"), customers(3000, 150));
    Path model = folder.resolve("m.avm");
    Avm.Result trained = Avm.run("train", data, "-m", model);
    assertEquals(0, trained.code(), trained.err());
    String known = Avm.run("inspect", model, "--json").out();
    assertTrue(known.contains("town149"), known);
    Avm.Result predicted = Avm.run("predict", model, data);
    assertEquals(0, predicted.code(), predicted.err());
    double error =
        Double.parseDouble(predicted.err().replaceFirst("(?s).*error ([0-9.]+) %.*", "$1"));
    assertTrue(error < 3, predicted.err());
  }

  @Test
  void resumingGoesOnWithTheSameValues() throws IOException {
    Path data = Files.writeString(folder.resolve("c.csv"), customers(2000, 120));
    Path whole = folder.resolve("whole.avm");
    Path parts = folder.resolve("parts.avm");
    Avm.run("train", data, "-m", whole, "-q");
    Avm.run("train", data, "-m", parts, "-q", "--limit", 1200);
    Avm.run("train", data, "--resume", parts, "-q", "--skip", 1200);
    assertEquals(-1, Files.mismatch(whole, parts));
  }

  @Test
  void amountsCanBePredicted() throws IOException {
    StringBuilder text = new StringBuilder("rooms,price\n");
    Random random = new Random(3);
    for (int i = 0; i < 400; i++) {
      int rooms = 1 + random.nextInt(9);
      text.append(rooms).append(",\"$").append(50 + 20 * rooms).append(",000\"\n");
    }
    Path data = Files.writeString(folder.resolve("houses.csv"), text);
    Path model = folder.resolve("m.avm");
    Avm.Result trained = Avm.run("train", data, "-m", model);
    assertEquals(0, trained.code(), trained.err());
    assertTrue(trained.err().contains("regression (inferred) of price"), trained.err());
    assertTrue(trained.err().contains("the labels are amounts or percentages"), trained.err());
    String first = Avm.run("predict", model, data).out().lines().skip(1).findFirst().orElse("");
    int rooms =
        Integer.parseInt(text.toString().lines().skip(1).findFirst().orElse("").substring(0, 1));
    assertEquals(1000.0 * (50 + 20 * rooms), Double.parseDouble(first), 3000);
    assertTrue(Avm.run("predict", model, data).err().contains("400 rows with labels"));
  }
}
