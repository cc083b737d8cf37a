// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {
  @TempDir Path folder;

  @Test
  void contributionsAddUpToTheScoreOfPredict() throws Exception {
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(500, 1));
    Path model = folder.resolve("m.avm");
    assertEquals(0, Avm.run("train", data, "-m", model, "-q").code());
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
    Avm.Result text = Avm.run("explain", model, data, "--rows", 1);
    assertTrue(text.out().startsWith("row 1: ") && text.out().contains("similarity"), text.out());
    assertEquals(2, Avm.run("explain", model, data, "--rows", 0).code());
  }

  @Test
  void servingWithoutItsLibrariesIsSaid() {
    Avm.Result none = Avm.run("serve", "m.avm", "--port", 0);
    assertEquals(1, none.code());
    assertTrue(none.lastError().contains("the libraries of the server are missing"), none.err());
    assertEquals(2, Avm.run("serve", "m.avm", "--prot", 0).code());
  }
}
