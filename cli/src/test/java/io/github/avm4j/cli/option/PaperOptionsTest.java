// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.baselines.comparison.PairDistances;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.LossKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paper's algorithm from the command line. */
class PaperOptionsTest {
  @TempDir Path folder;

  private Path ring() throws IOException {
    return Files.writeString(folder.resolve("ring.csv"), Avm.ring(600, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--delta=1",
        "--coverage=sphere",
        "--policy=never",
        "--beta=1",
        "--rho=1",
        "--output=last",
        "--alpha=0.5",
        "--horizon=9",
        "--when-full=refuse"
      })
  void itsOptionsAreRefusedWithoutIt(String option) throws IOException {
    String name = option.substring(0, option.indexOf('='));
    for (Avm.Result result :
        List.of(
            Avm.run("train", ring(), "-m", folder.resolve("m.avm"), option),
            Avm.run("evaluate", ring(), option))) {
      assertEquals(ExitCodes.USAGE, result.code(), result.err());
      assertTrue(
          result.lastError().contains(name + " is an option of the paper's algorithm: add --paper"),
          result.err());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--paper --beta=1, --policy bernoulli",
    "--paper --rho=1 --policy=never, --policy bernoulli",
    "--paper --alpha=0.2, --output suffix",
    "--paper --horizon=5 --output=average, --output suffix"
  })
  void optionsWithoutEffectNameWhatTheyNeed(String options, String needed) throws IOException {
    List<Object> args = new ArrayList<>(List.of("evaluate", ring()));
    args.addAll(List.of(options.split(" ", -1)));
    Avm.Result result = Avm.run(args.toArray());
    assertEquals(ExitCodes.USAGE, result.code(), result.err());
    assertTrue(
        result.lastError().contains("has no effect without " + needed + ": add that"),
        result.err());
  }

  @ParameterizedTest
  @CsvSource({
    "hinges, unknown loss 'hinges'; use hinge",
    "l1:3, --loss l1 has no parameter",
    "huber:much, --loss huber: threshold must be a number",
    "huber:-1, --loss huber: threshold must be > 0"
  })
  void aLossThatIsNoneSaysWhy(String loss, String why) throws IOException {
    Path slope = Files.writeString(folder.resolve("slope.csv"), Avm.slope(300, 1));
    Avm.Result result = Avm.run("evaluate", slope, "--loss", loss);
    assertEquals(ExitCodes.USAGE, result.code(), result.err());
    assertTrue(result.lastError().contains(why), result.err());
  }

  @Test
  void deltaIsTheLowerEndOfThePapersRange() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    List<FeatureVector> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      rows.add(FeatureVector.dense(a, b));
      text.append(i % 2).append(" 1:").append(a).append(" 2:").append(b).append('\n');
    }
    Path data = Files.writeString(folder.resolve("a.libsvm"), text);
    PairDistances distances = PairDistances.of(rows, 2000, 1);
    String delta =
        String.format(Locale.ROOT, "delta %.4g ", 2 * (distances.mean() - distances.deviation()));
    Avm.Result result = Avm.run("evaluate", data, "--paper", "--scaling", "none");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.err().contains(delta), delta + " in " + result.err());
  }

  /** Features of very different sizes, which cells of one diameter cannot follow unscaled. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "standard", "min-max"})
  void scaledFeaturesBeatTheBaseline(String scaling) throws IOException {
    StringBuilder text = new StringBuilder("a,b,label\n");
    Avm.ring(3000, 2)
        .lines()
        .skip(1)
        .map(line -> line.split(",", -1))
        .forEach(
            cell ->
                text.append(1e6 * Double.parseDouble(cell[0]))
                    .append(',')
                    .append(1e-3 * Double.parseDouble(cell[1]) + 7)
                    .append(',')
                    .append(cell[2])
                    .append('\n'));
    Path data = Files.writeString(folder.resolve("ring.csv"), text);
    JsonNode json = json("evaluate", data, "--paper", "--scaling", scaling, "--json");
    assertTrue(
        json.get("mistake_rate").asDouble() < 0.6 * json.get("baseline").asDouble(),
        json.toString());
    assertTrue(json.get("configuration").get("scaled").asBoolean(), json.toString());
  }

  static Stream<LossKind> regression() {
    return Arrays.stream(LossKind.values()).filter(kind -> !kind.loss().forClassification());
  }

  /** The step 1/(λt) and ε are in the target's unit: prices must not ruin them. */
  @ParameterizedTest
  @MethodSource("regression")
  void largeTargetsBeatTheBaseline(LossKind loss) throws IOException {
    StringBuilder text = new StringBuilder("x,colour,y\n");
    Avm.slope(3000, 2)
        .lines()
        .skip(1)
        .forEach(
            line -> {
              int cut = line.lastIndexOf(',') + 1;
              double y = Double.parseDouble(line.substring(cut));
              text.append(line, 0, cut).append(200_000 + 50_000 * y).append('\n');
            });
    Path data = Files.writeString(folder.resolve("prices.csv"), text);
    JsonNode json = json("evaluate", data, "--paper", "--loss", loss.title(), "--json");
    assertTrue(json.get("rmse").asDouble() < 0.8 * json.get("mean").asDouble(), json.toString());
  }

  @Test
  void aScaledModelPredictsAsItLearned() throws IOException {
    Path data = Files.writeString(folder.resolve("slope.csv"), Avm.slope(1500, 4));
    Path model = folder.resolve("m.avm");
    Avm.Result trained = Avm.run("train", data, "-m", model, "--paper");
    assertEquals(0, trained.code(), trained.err());
    assertTrue(trained.err().contains("features scaled, target minus "), trained.err());
    Avm.Result predicted = Avm.run("predict", model, data);
    double rmse = Double.parseDouble(predicted.err().replaceAll("(?s).*RMSE ([0-9.e-]+) .*", "$1"));
    assertTrue(rmse < 0.5, predicted.err());
    assertTrue(Avm.run("inspect", model).out().contains("intercept"), "inspect shows it");
  }

  private static JsonNode json(Object... args) throws IOException {
    Avm.Result result = Avm.run(args);
    assertEquals(0, result.code(), result.err());
    return new ObjectMapper().readTree(result.out());
  }
}
