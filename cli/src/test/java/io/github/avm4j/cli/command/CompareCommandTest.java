// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir Path folder;

  private Path ring(int rows) throws IOException {
    return Files.writeString(folder.resolve("ring.csv"), Avm.ring(rows, 3));
  }

  @Test
  void tablePlotAndPage() throws IOException {
    Path plot = folder.resolve("ring.svg");
    Path page = folder.resolve("ring.html");
    Avm.Result result =
        Avm.run(
            "compare",
            ring(1200),
            "--methods",
            "avm,paper,linear",
            "--search",
            "200",
            "--plot",
            plot,
            "--report",
            page);
    assertEquals(0, result.code(), result.err());
    for (String name : new String[] {"avm4j default", "AVM-Hinge", "linear SGD", "baseline"}) {
      assertTrue(result.out().contains(name), result.out());
      assertTrue(Files.readString(plot).contains(">" + name), name);
      assertTrue(Files.readString(page).contains(name), name);
    }
    assertFalse(Files.readString(page).contains("src="), "needs no network");
    assertTrue(result.err().contains("1200 rows"), result.err());
  }

  @Test
  void kernelsBeatTheLineAndTheTrivialBaseline() throws IOException {
    Avm.Result result =
        Avm.run(
            "compare", ring(2000), "--methods", "avm,paper,linear", "--search", "300", "--json");
    assertEquals("", result.err());
    JsonNode root = new ObjectMapper().readTree(result.out());
    assertEquals(2000, root.get("rows").asInt());
    double avm = root.get("methods").get(0).get("error").asDouble();
    double paper = root.get("methods").get(1).get("error").asDouble();
    double linear = root.get("methods").get(2).get("error").asDouble();
    double baseline = root.get("baseline").asDouble();
    assertTrue(avm < 0.5 * linear && paper < 0.7 * linear && avm < 0.5 * baseline, result.out());
  }

  @Test
  void numbers() throws IOException {
    Path data = Files.writeString(folder.resolve("slope.csv"), Avm.slope(600, 3));
    Avm.Result result =
        Avm.run("compare", data, "--methods", "avm,paper,linear", "--search", "150", "-q");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().contains("RMSE") && result.out().contains("AVM-ε"), result.out());
  }

  /** Steps and losses are made for targets in [0, 1]: prices in the millions must not ruin them. */
  @Test
  void theUnitOfTheTargetDoesNotMatter() throws IOException {
    StringBuilder large = new StringBuilder();
    for (String line : Avm.slope(600, 3).split("\n", -1)) {
      int cut = line.lastIndexOf(',');
      boolean number = cut >= 0 && line.substring(cut + 1).matches("-?[0-9.E-]+");
      large
          .append(number ? line.substring(0, cut + 1) : line)
          .append(number ? 1e9 * Double.parseDouble(line.substring(cut + 1)) + "" : "")
          .append('\n');
    }
    JsonNode small = compared(Files.writeString(folder.resolve("small.csv"), Avm.slope(600, 3)));
    JsonNode grown = compared(Files.writeString(folder.resolve("large.csv"), large));
    for (int m = 0; m < 3; m++) {
      double error = small.get("methods").get(m).get("error").asDouble();
      double other = grown.get("methods").get(m).get("error").asDouble();
      assertEquals(error, other / 1e9, 0.01 * error, small.get("methods").get(m).toString());
    }
  }

  private static JsonNode compared(Path data) throws IOException {
    Avm.Result result =
        Avm.run("compare", data, "--methods", "paper,avm-l2,linear", "--search", "150", "--json");
    assertEquals(0, result.code(), result.err());
    return new ObjectMapper().readTree(result.out());
  }

  /** The paper's learner is searched over δ, too, and what was searched is said. */
  @Test
  void deltaIsSearchedAndSaid() throws IOException {
    Avm.Result result =
        Avm.run("compare", ring(400), "--methods", "avm,paper,linear", "--search", "100");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.err().contains("AVM-Hinge: best of 462 settings: delta "), result.err());
    assertTrue(result.err().contains("avm4j default: nothing to search"), result.err());
    assertTrue(result.err().contains("linear SGD: best of 8 settings: eta "), result.err());
    assertTrue(result.out().contains("delta "), result.out());
  }

  @Test
  void permutationsHaveAMeanAndADeviation() throws IOException {
    Path data = ring(300);
    String[] command = {
      "compare", data.toString(), "--methods", "linear", "--search", "50", "--json", "--repeat"
    };
    JsonNode three = methods(command, "3").get(0);
    double sum = 0;
    for (int seed = 1; seed <= 3; seed++) {
      String[] one = {
        "compare", data.toString(), "--methods", "linear", "--search", "50", "--json", "--shuffle"
      };
      sum += methods(one, "--seed", "" + seed).get(0).get("error").asDouble();
    }
    assertEquals(sum / 3, three.get("mean_error").asDouble(), 1e-9);
    assertTrue(three.get("error_deviation").asDouble() > 0, three.toString());
    Avm.Result text =
        Avm.run("compare", data, "--methods", "linear", "--search", "50", "-q", "--repeat", "3");
    assertTrue(text.out().contains(" ± ") && text.out().contains("3 permutations"), text.out());
    assertEquals(ExitCodes.USAGE, Avm.run("compare", data, "--repeat", "0").code());
  }

  private static JsonNode methods(String[] command, String... more) throws IOException {
    List<Object> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(more));
    Avm.Result result = Avm.run(all.toArray());
    assertEquals(0, result.code(), result.err());
    return new ObjectMapper().readTree(result.out()).get("methods");
  }

  @Test
  void wrongWishesAreExplained() throws IOException {
    Path data = ring(50);
    Avm.Result unknown = Avm.run("compare", data, "--methods", "avm,liner");
    assertEquals(ExitCodes.USAGE, unknown.code());
    assertTrue(unknown.err().contains("liner") && unknown.err().contains("linear"), unknown.err());
    assertEquals(ExitCodes.USAGE, Avm.run("compare", data, "--plot", "x.gif").code());
    assertEquals(ExitCodes.USAGE, Avm.run("compare", data, "--search", "1").code());
    Path slope = Files.writeString(folder.resolve("slope.csv"), Avm.slope(100, 3));
    Avm.Result classes = Avm.run("compare", slope, "--methods", "avm-hinge");
    assertTrue(classes.err().contains("avm-hinge does not support regression"), classes.err());
  }
}
