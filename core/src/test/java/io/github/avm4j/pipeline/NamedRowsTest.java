// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.loss.Huber;
import io.github.avm4j.model.InvalidModelException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Rows as maps from column names to values. */
class NamedRowsTest {
  private static final List<String> CITIES = List.of("Oslo", "Lima", "Rome", "Turin");

  private static Schema schema() {
    return Schema.builder().number("age").category("city").date("since").build();
  }

  private static Map<String, Object> row(SplittableRandom random) {
    return Map.of(
        "age",
        20 + random.nextInt(50),
        "city",
        CITIES.get(random.nextInt(4)),
        "since",
        LocalDate.of(2020, 1, 1).plusDays(random.nextInt(1000)));
  }

  /** Young people of Oslo and Lima, and old ones of other cities. */
  private static String answer(Map<String, Object> row) {
    boolean young = (int) row.get("age") < 45;
    return young == (CITIES.indexOf((String) row.get("city")) < 2) ? "yes" : "no";
  }

  @Test
  void learnsClassesByName() throws Exception {
    RowLearner learner = RowLearner.classifier(schema()).build();
    SplittableRandom random = new SplittableRandom(1);
    assertTrue(learner.predictClass(row(random)).isEmpty());
    assertTrue(learner.snapshot().predictClass(row(random)).isEmpty());
    int wrong = 0;
    for (int t = 0; t < 3000; t++) {
      Map<String, Object> row = row(random);
      wrong += t >= 1500 && !learner.predictClass(row).equals(Optional.of(answer(row))) ? 1 : 0;
      learner.learn(row, answer(row));
    }
    assertTrue(wrong < 75, wrong + " of 1500 wrong");
    Map<String, Object> row = row(random);
    RowModel model = learner.snapshot();
    assertEquals(learner.predictClass(row), model.predictClass(row));
    assertEquals(learner.probabilities(row).keySet(), model.probabilities(row).keySet());
    double sum = model.probabilities(row).values().stream().mapToDouble(p -> p).sum();
    assertEquals(1, sum, 1e-12);
    RowLearner read = RowLearner.read(learner.toBytes());
    assertEquals(learner.predictClass(row), read.predictClass(row));
    read.learn(row, "maybe");
    learner.learn(row, "maybe");
    assertArrayEquals(learner.toBytes(), read.toBytes());
  }

  @Test
  void learnsNumbersAndTakesNullAsMissing() {
    Schema schema = Schema.builder().number("a").number("b").build();
    RowLearner learner = RowLearner.regressor(schema).build();
    SplittableRandom random = new SplittableRandom(2);
    for (int t = 0; t < 2000; t++) {
      double a = random.nextDouble();
      Map<String, Object> row = new HashMap<>();
      row.put("a", a);
      row.put("b", null);
      learner.learn(row, 3 * a + 1);
    }
    assertEquals(2.5, learner.predictNumber(Map.of("a", 0.5)), 0.05);
    assertEquals(2.5, learner.snapshot().predictNumber(Map.of("a", "0.5")), 0.05);
    assertThrows(IllegalArgumentException.class, () -> learner.learn(Map.of("a", 1), "much"));
  }

  private static final String ONLY = "a row without a target can only be predicted: call ";

  @Test
  void refusesWhatIsNoTargetAndSaysWhatLearnsIt() {
    RowLearner classifier = RowLearner.classifier(schema()).build();
    RowLearner regressor = RowLearner.regressor(schema()).build();
    assertTrue(refusal(classifier, 0.5).contains("RowLearner.regressor(schema)"));
    assertTrue(refusal(regressor, "yes").contains("RowLearner.classifier(schema)"));
    for (Object target : new Object[] {"", 'c', List.of(), Double.NaN, Double.POSITIVE_INFINITY}) {
      refusal(classifier, target);
      refusal(regressor, target);
    }
    assertEquals(
        "the target must be the name of a class, was missing; a row without a target can only be"
            + " predicted: call predictClass(row)",
        refusal(classifier, null));
    assertTrue(refusal(regressor, "").endsWith("was missing; " + ONLY + "predictNumber(row)"));
    assertTrue(refusal(regressor, Double.NaN).endsWith(ONLY + "predictNumber(row)"));
    assertTrue(refusal(classifier, Double.NEGATIVE_INFINITY).endsWith(ONLY + "predictClass(row)"));
    assertTrue(refusal(regressor, true).endsWith("use RowLearner.classifier(schema)"));
    assertTrue(refusal(regressor, List.of(1)).endsWith("call learn(row, number) with a number"));
    assertTrue(
        refusal(classifier, List.of("a"))
            .endsWith("call learn(row, name) with a text, a whole number or a Boolean"));
    for (Object word : new Object[] {"?", "n/a", " ", "NaN"}) {
      assertTrue(refusal(classifier, word).contains("' means missing; Schema.builder().cells("));
    }
    assertEquals(0, classifier.names().size());
    assertEquals(0, classifier.learner().instances() + regressor.learner().instances());
    classifier.learn(Map.of("age", 40), 7);
    classifier.learn(Map.of("age", 41), true);
    classifier.learn(Map.of("age", 42), "none");
    assertEquals(List.of("7", "true", "none"), classifier.names().toList());
    assertTrue(refusal(regressor, "none").endsWith("use RowLearner.classifier(schema)"));
    RowLearner same = RowLearner.regressor(schema()).build();
    regressor.learn(Map.of("age", 40), 12.5);
    same.learn(Map.of("age", 40), "12.5");
    assertArrayEquals(regressor.toBytes(), same.toBytes());
  }

  @SuppressWarnings("NullAway") // what a caller without annotations may do
  private static String refusal(RowLearner learner, @Nullable Object target) {
    Map<String, Object> row = Map.of("age", 33, "city", "Oslo");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> learner.learn(row, target));
    return String.valueOf(e.getMessage());
  }

  @Test
  void weighsPredictsFirstAndExplains() {
    RowLearner learner = RowLearner.classifier(schema()).budget(50).build();
    SplittableRandom random = new SplittableRandom(3);
    assertTrue(learner.predictClassThenLearn(Map.of("age", 30), "no").isEmpty());
    assertEquals(Optional.of("no"), learner.predictClassThenLearn(Map.of("age", 30), "yes"));
    for (int t = 0; t < 500; t++) {
      Map<String, Object> row = row(random);
      learner.learn(row, answer(row), 2);
    }
    assertTrue(learner.learner().size() <= 50);
    Map<String, Object> row = row(random);
    assertEquals(2, learner.explain(row, 2).parts().size());
    assertEquals(learner.explain(row, 2).toString(), learner.snapshot().explain(row, 2).toString());
    assertEquals(
        List.of(learner.predictClass(row), learner.predictClass(Map.of())),
        learner.snapshot().predictClasses(List.of(row, Map.of())));
    assertTrue(RowLearner.regressor(schema()).build().toString().startsWith("regressor, nothing"));
    String shown = learner.toString();
    assertTrue(shown.startsWith("classifier, "), shown);
    assertTrue(shown.contains(", estimating: 502 instances, "), shown);
    assertTrue(shown.contains(" core points, recent error "), shown);
    assertTrue(shown.endsWith(" %, 3 columns, classes [no, yes]"), shown);
  }

  @Test
  void aPredictionOfTheOtherTaskNamesTheCallToMake() {
    RowLearner classes = RowLearner.classifier(schema()).build();
    RowLearner numbers = RowLearner.regressor(schema()).build();
    Map<String, Object> row = Map.of("age", 33);
    assertOther(
        "this learner predicts classes: call predictClass", () -> classes.predictNumber(row));
    assertOther("call predictClass", () -> classes.predictNumberThenLearn(row, 1));
    assertOther("call predictClass", () -> classes.interval(row, 0.9));
    assertOther(
        "this learner predicts numbers: call predictNumber", () -> numbers.predictClass(row));
    assertOther("call predictNumber", () -> numbers.predictClassThenLearn(row, "yes"));
    assertOther("call predictNumber", () -> numbers.probabilities(row));
    assertOther("call predictNumber", () -> numbers.predictionSet(row, 0.9));
    assertOther("this model predicts", () -> classes.snapshot().predictNumbers(List.of(row)));
    assertOther("this model predicts", () -> numbers.snapshot().predictClasses(List.of(row)));
    assertEquals(0, classes.learner().instances() + numbers.learner().instances());
  }

  private static void assertOther(String expected, Executable call) {
    String message = String.valueOf(assertThrows(IllegalStateException.class, call).getMessage());
    assertTrue(message.contains(expected), message);
  }

  /** One builder: what it sets is what the learner of vectors would have. */
  @Test
  void everySettingOfTheDefaultLearnerCanBeSet() {
    AutoConfig.Builder<RowLearner> rows = RowLearner.regressor(schema());
    AutoConfig.Builder<AutoLearner> vectors = Avm.regressor();
    for (AutoConfig.Builder<?> builder : List.of(rows, vectors)) {
      builder.budget(50).cells(0).memory(1 << 20).gamma(0.5).lambda(0.1).skip(0).novelty(0.1);
      builder.forgetting(0.999).kernel(KernelChoice.GAUSSIAN).loss(new Huber(2));
      builder.scaling(ScalingMode.STANDARD).estimation(200).features(0).labels().levels(0.7);
    }
    AutoLearner built = (AutoLearner) rows.build().learner();
    assertEquals(vectors.build().settings(), built.settings());
    assertEquals(50, built.settings().budget());
  }

  @Test
  void savesAndReadsFiles(@TempDir Path folder) throws Exception {
    RowLearner learner = RowLearner.regressor(schema()).build();
    assertEquals(0, learner.predictNumberThenLearn(Map.of("age", 30), 1));
    Path file = folder.resolve("rows.avm");
    learner.save(file);
    assertArrayEquals(learner.toBytes(), RowLearner.read(file).toBytes());
    learner.snapshot().save(file);
    assertEquals(1, RowModel.read(file).predictNumbers(List.of(Map.of("age", 30))).length);
    learner.save(file);
    String message =
        assertThrows(InvalidModelException.class, () -> Avm.loadLearner(file)).getMessage();
    assertTrue(message != null && message.endsWith("call RowLearner.read(path)"), message);
  }

  @Test
  void howCellsAreReadIsSavedWithLearnersAndModels() throws Exception {
    CellReader cells =
        CellReader.DEFAULT
            .withMissing(List.of("-999"))
            .withDecimalComma(true)
            .withVerbatim(Set.of("city"));
    Schema schema = Schema.builder().number("age").category("city").cells(cells).build();
    RowLearner learner = RowLearner.classifier(schema).build();
    for (int i = 0; i < 100; i++) {
      learner.learn(Map.of("age", i, "city", i % 3 == 0 ? "07" : "7"), i < 50 ? "no" : "yes");
    }
    for (RowModel model :
        List.of(learner.snapshot(), RowModel.read(learner.snapshot().toBytes()))) {
      assertEquals(cells, model.schema().cells());
      Map<String, Double> absent = model.probabilities(Map.of("city", "07"));
      assertEquals(absent, model.probabilities(Map.of("city", "07", "age", -999)));
      assertEquals(absent, model.probabilities(Map.of("city", "07", "age", "-999,0")));
      assertEquals(
          model.probabilities(Map.of("age", 70.5)), model.probabilities(Map.of("age", "70,5")));
    }
    RowLearner read = RowLearner.read(learner.toBytes());
    assertEquals(learner.schema(), read.schema());
    assertArrayEquals(learner.toBytes(), read.toBytes());
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> learner.predictClass(Map.of("age", List.of())))
            .getMessage();
    assertTrue(message.startsWith("column age: a cell is a number"), message);
  }

  @Test
  void aMisspeltTargetIsRefusedWithItsNearestName() {
    List<Map<String, Object>> rows = List.of(Map.of("age", 1, "bought", "yes"));
    for (String name : List.of("boughtt", "price")) {
      String message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> Inference.of(rows, name))
                  .getMessage());
      String expected =
          name.equals("price")
              ? "no column is named price; there are age, bought"
              : "no column is named boughtt; did you mean 'bought'? There are age, bought";
      assertEquals(expected, message);
    }
  }

  @Test
  void columnsAreDistinct() {
    assertThrows(
        IllegalArgumentException.class, () -> Schema.builder().number("a").category("a").build());
    assertThrows(IllegalStateException.class, () -> Schema.builder().build());
  }
}
