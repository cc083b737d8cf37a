// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.CellModels;
import io.github.avm4j.model.Cells;
import io.github.avm4j.pipeline.RowModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {
  @TempDir Path folder;

  @Test
  void contributionsAddUpToTheScoreOfPredict() throws Exception {
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(500, 1));
    Path model = folder.resolve("m.avm");
    assertEquals(0, Avm.run("train", data, "-m", model, "-q").code());
    assertSumsAreScores(model, data);
    Avm.Result text = Avm.run("explain", model, data, "--rows", 1);
    assertTrue(text.out().startsWith("row 1: ") && text.out().contains("similarity"), text.out());
    assertEquals(2, Avm.run("explain", model, data, "--rows", 0).code());
  }

  @Test
  void cellsThatMetTheClassesInAnotherOrderAreExplained() throws Exception {
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(500, 1));
    Path file = folder.resolve("m.avm");
    assertEquals(0, Avm.run("train", data, "-m", file, "-q").code());
    RowModel rows = CellModels.divide(file);
    Cells cells = rows.model().levels().get(0);
    assertEquals(rows.model().label(1), Objects.requireNonNull(cells.model(1)).label(0));
    assertSumsAreScores(file, data);
    String[] lines =
        Avm.run("explain", file, data, "--rows", 20, "--json").out().strip().split("\n", -1);
    for (String line : lines) {
      JsonNode row = new ObjectMapper().readTree(line);
      assertEquals(name(rows, row), row.path("prediction").asText());
      for (JsonNode point : row.path("points")) {
        assertEquals(name(rows, point), point.path("prediction").asText());
      }
    }
  }

  /** The class that the score speaks for. */
  private static String name(RowModel rows, JsonNode scored) {
    return rows.classNames().get(scored.path("score").asDouble() > 0 ? 1 : 0);
  }

  private static void assertSumsAreScores(Path model, Path data) throws Exception {
    Avm.Result why = Avm.run("explain", model, data, "--rows", 3, "--points", 4, "--json");
    assertEquals(0, why.code(), why.err());
    String[] predicted =
        Avm.run("predict", model, data, "-q", "--output-format", "jsonl").out().split("\n", -1);
    String[] lines = why.out().strip().split("\n", -1);
    assertEquals(3, lines.length);
    ObjectMapper json = new ObjectMapper();
    for (int r = 0; r < 3; r++) {
      JsonNode row = json.readTree(lines[r]);
      double sum = row.path("intercept").asDouble() + row.path("rest").asDouble();
      assertEquals(4, row.path("points").size());
      for (JsonNode point : row.path("points")) {
        sum += point.path("contribution").asDouble();
      }
      JsonNode answer = json.readTree(predicted[r]);
      assertEquals(answer.path("score").asDouble(), sum, 1e-9);
      assertEquals(answer.path("prediction").asText(), row.path("prediction").asText());
    }
  }

  @Test
  void servingWithoutItsLibrariesIsSaid() {
    Avm.Result none = Avm.run("serve", "m.avm", "--port", 0);
    assertEquals(1, none.code());
    assertTrue(none.lastError().contains("the libraries of the server are missing"), none.err());
    assertEquals(2, Avm.run("serve", "m.avm", "--prot", 0).code());
  }
}
