// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class ComparisonTest {
  private static Table table(List<Instance> rows) {
    return new Table(
        rows.stream().map(Instance::x).toList(), rows.stream().map(Instance::y).toList());
  }

  @Test
  void searchOnlineMeasuresWhatARunWould() throws Exception {
    Table rows = table(Streams.checkerboard(3, 400, 4));
    Method linear = Methods.of("linear", Task.CLASSIFICATION);
    GridSearch found = GridSearch.online(linear, Task.CLASSIFICATION, Settings.standard(), rows);
    PrequentialRun run =
        PrequentialRun.of(
            linear.create(Task.CLASSIFICATION, found.settings()), rows.instances(), 400, 10, 1e9);
    assertEquals(run.end().error(), found.error(), 1e-9);
    assertEquals(8, found.tried());
    assertThrows(
        IllegalArgumentException.class,
        () -> GridSearch.online(linear, Task.CLASSIFICATION, Settings.standard(), rows.part(0, 4)));
  }

  @Test
  void runEndsInTimeOrSaysSo() throws Exception {
    Table rows = table(Streams.checkerboard(3, 3000, 4));
    Method linear = Methods.of("linear", Task.CLASSIFICATION);
    OnlineLearner learner = linear.create(Task.CLASSIFICATION, Settings.standard());
    PrequentialRun whole = PrequentialRun.of(learner, rows.instances(), 3000, 30, Double.MAX_VALUE);
    assertTrue(whole.finished());
    assertEquals(3000, whole.end().instances());
    assertEquals(30, whole.points().size());
    OnlineLearner again = linear.create(Task.CLASSIFICATION, Settings.standard());
    PrequentialRun cut = PrequentialRun.of(again, rows.instances(), 3000, 30, 1e-9);
    assertFalse(cut.finished());
    assertEquals(64, cut.end().instances());
  }

  @Test
  void shufflingKeepsTheRows() {
    Table rows = table(Streams.checkerboard(3, 50, 4));
    Table mixed = rows.shuffled(3);
    assertEquals(mixed.targets(), rows.shuffled(3).targets());
    assertFalse(mixed.x().equals(rows.x()));
    for (int i = 0; i < 50; i++) {
      int at = rows.x().indexOf(mixed.x().get(i));
      assertEquals(rows.y(at), mixed.y(i));
    }
    assertEquals(100, rows.and(mixed).size());
  }

  @Test
  void distancesOfPairs() {
    List<FeatureVector> two = List.of(FeatureVector.dense(0, 0), FeatureVector.dense(3, 4));
    PairDistances distances = PairDistances.of(two, 4000, 1);
    assertEquals(2.5, distances.mean(), 0.2);
    assertEquals(2.5, distances.deviation(), 0.05);
    assertEquals(1, PairDistances.of(two.subList(0, 1), 10, 1).mean());
  }

  @Test
  void chartIsXmlInAnyLanguage() throws Exception {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      String svg =
          new ComparisonChart("a < b & c", "rows", "mistakes", true)
              .add("one", new double[] {1, 10, 100}, new double[] {30.5, 20.25, Double.NaN}, 0)
              .add("dot", new double[] {50}, new double[] {10}, 1)
              .toSvg();
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
      assertEquals(1, document.getElementsByTagName("circle").getLength());
      assertEquals(3, document.getElementsByTagName("path").getLength());
      assertFalse(svg.contains("NaN"), svg);
      assertFalse(svg.matches("(?s).*[0-9],[0-9].*"), "decimal commas");
    } finally {
      Locale.setDefault(before);
    }
  }

  /** A regressor of zeros makes no error. */
  @Test
  void linesOfZerosHaveAnAxis() {
    double[] zeros = new double[3];
    String svg =
        new ComparisonChart("zeros", "rows", "errors", false)
            .add("one", new double[] {1, 2, 3}, zeros, 0)
            .toSvg();
    assertTrue(svg.contains(">0.2<"), svg);
    assertFalse(svg.contains("NaN"), svg);
  }

  /** A logarithmic axis names round numbers, however short or long it is. */
  @Test
  void logarithmicAxesNameRoundNumbers() {
    assertTicks(0, 1.75, 1, 2, 5, 10, 20, 50);
    assertTicks(-1.2, 3.1, 0.1, 1, 10, 100, 1000);
    assertTicks(-10, 11, 1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9);
    assertTrue(ComparisonChart.logTicks(0.1, 0.2).size() >= 2, "a tenth of a decade");
  }

  private static void assertTicks(double low, double high, double... values) {
    List<Double> ticks = ComparisonChart.logTicks(low, high);
    assertEquals(values.length, ticks.size(), ticks.toString());
    for (int i = 0; i < values.length; i++) {
      assertEquals(Math.log10(values[i]), ticks.get(i), 1e-12);
    }
  }
}
