// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.RationalQuadratic;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.SplitTree;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OnnxCellsTest {
  private static final OnnxOptions WIDE = OnnxOptions.of(Precision.DOUBLE);

  /** Rows of two floats, so that both precisions predict the same rows. */
  private static double[][] rows(int count, double from, double to) {
    Random random = new Random(23);
    double[][] rows = new double[count][2];
    for (double[] row : rows) {
      Arrays.setAll(row, j -> (float) (from + (to - from) * random.nextDouble()));
    }
    return rows;
  }

  private static void assertSame(Model model, Precision precision, double[][] rows, double limit)
      throws Exception {
    byte[] file = OnnxWriter.write(model, OnnxOptions.of(precision));
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(file)) {
      assertSame(model, session, precision, rows, limit);
      for (int i = 0; i < 40; i++) {
        assertSame(model, session, precision, new double[][] {rows[i]}, limit);
      }
    }
  }

  private static void assertSame(
      Model model, OrtSession session, Precision precision, double[][] rows, double limit)
      throws Exception {
    boolean regression = model.task() == Task.REGRESSION;
    double[] own = new double[Math.max(1, model.classes())];
    double[] shares = new double[own.length];
    try (OnnxTensor tensor = tensor(rows, precision);
        OrtSession.Result result = session.run(Map.of("features", tensor))) {
      Object[] scores =
          regression
              ? new Object[] {result.get("prediction").orElseThrow().getValue()}
              : (Object[]) result.get("scores").orElseThrow().getValue();
      for (int i = 0; i < rows.length; i++) {
        FeatureVector x = FeatureVector.dense(rows[i]);
        model.scores(x, own);
        for (int j = 0; j < own.length; j++) {
          double theirs = regression ? number(scores[0], i) : number(scores[i], j);
          double scale = Math.max(1, Math.abs(own[j]));
          assertEquals(own[j], theirs, limit * scale, "row " + i + " of " + model);
        }
        if (!regression) {
          String label = ((String[]) result.get("prediction").orElseThrow().getValue())[i];
          Object[] theirs = (Object[]) result.get("probabilities").orElseThrow().getValue();
          model.probabilities(x, shares);
          assertEquals(shares[0], number(theirs[i], 0), limit);
          if (precision == Precision.DOUBLE) {
            assertEquals(Row.canonical(model.predict(x)), label, "row " + i + " of " + model);
          }
        }
      }
    }
  }

  private static double number(Object values, int i) {
    return values instanceof float[] narrow ? narrow[i] : ((double[]) values)[i];
  }

  private static OnnxTensor tensor(double[][] rows, Precision precision) throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    if (precision == Precision.DOUBLE) {
      return OnnxTensor.createTensor(environment, rows);
    }
    float[][] narrow = new float[rows.length][2];
    for (int i = 0; i < rows.length; i++) {
      narrow[i] = new float[] {(float) rows[i][0], (float) rows[i][1]};
    }
    return OnnxTensor.createTensor(environment, narrow);
  }

  /** How many expansions predict some of the rows. */
  private static int expansions(Model model, double[][] rows) {
    Set<Model> predicting = new HashSet<>();
    for (double[] row : rows) {
      predicting.add(model.local(FeatureVector.dense(row)));
    }
    return predicting.size();
  }

  @Test
  void whatTheDefaultLearnerDividesIsExported() throws Exception {
    double[][] rows = rows(600, -1, 13);
    for (int classes : new int[] {0, 2, 3}) {
      Model model = CellModels.checkerboard(classes);
      assertFalse(model.levels().isEmpty(), "nothing to test: " + model);
      assertTrue(expansions(model, rows) > 2, "nothing to test: " + model);
      assertSame(model, Precision.DOUBLE, rows, 1e-10);
      assertSame(model, Precision.FLOAT, rows, 5e-3);
    }
  }

  @Test
  void levelsOfCellsHaveTheirOwnScalingKernelAndClasses() throws Exception {
    double[][] rows = rows(400, -4, 4);
    for (int[] labels : new int[][] {{}, {0, 1}, {4, 2, 7}, {1, 2, 3, 4}}) {
      Model model = CellModels.levels(new Gaussian(0.8), new Gaussian(3), labels);
      assertEquals(2, model.levels().size());
      assertTrue(expansions(model, rows) >= 5, "too few are reached: " + model);
      assertSame(model, Precision.DOUBLE, rows, 1e-10);
      assertSame(model, Precision.FLOAT, rows, 1e-4);
    }
    List<Kernel> kernels = LearnerKinds.kernels(2);
    List<Kernel> narrow = LearnerKinds.kernels(0.3);
    for (int k = 0; k < kernels.size(); k++) {
      Model model = CellModels.levels(kernels.get(k), narrow.get(k));
      assertSame(model, Precision.DOUBLE, rows, 1e-10);
    }
  }

  @Test
  void columnsAreEncodedBeforeTheCellIsFound() throws Exception {
    for (DataSet data :
        new DataSet[] {
          Streams.mixed(Task.CLASSIFICATION, 3, Map.of()),
          Streams.mixed(Task.REGRESSION, 0, Map.of()),
          Streams.manyValues(Task.REGRESSION)
        }) {
      // Of three kinds: with wide ranges, narrow ones, and those that cells have of their own.
      RowModel rows =
          CellModels.narrow(CellModels.divided(data.learn(learner(data, 10)), other(data)));
      try (OnnxRuntime runtime = new OnnxRuntime(OnnxWriter.write(rows, WIDE), Precision.DOUBLE)) {
        Answers answers = runtime.ask(rows.schema(), data.columns(), data.test());
        Comparison result = Comparison.of(rows, data.columns(), data.test(), answers);
        assertTrue(result.difference() <= 1e-10, data.name() + ": " + result);
        assertEquals(result.excused(), result.otherLabels(), result.toString());
      }
    }
  }

  private static Learner learner(DataSet data, int budget) {
    boolean regression = data.task() == Task.REGRESSION;
    return (regression ? Avm.regressor() : Avm.classifier()).budget(budget).build();
  }

  private static Model other(DataSet data) {
    return data.learn(learner(data, 30)).model();
  }

  @Test
  void featuresBeyondTheScalingAreScaledAlike() throws Exception {
    Learner learner = Avm.paperRegressor().gamma(0.2).delta(0.1).lambda(0.01).build();
    Random random = new Random(5);
    for (int t = 0; t < 200; t++) {
      double a = random.nextGaussian();
      learner.learn(FeatureVector.sparse(new int[] {t % 3, 3}, new double[] {a, 1}), a);
    }
    Scaling scaling = new Scaling(new double[2], new double[] {0.5, 3}, new boolean[2], true);
    Model model = learner.snapshot().with(scaling, 1);
    double[][] rows = {{0.3, 0, 0.4, 1, 0, 0}, {0, 0.2, 0, 1, 0.5, 0}, {0, 0, 0, 1, 0.1, 9}};
    byte[] file = OnnxWriter.write(model, WIDE.withFeatures(6));
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(file);
        OnnxTensor tensor = OnnxTensor.createTensor(environment, rows);
        OrtSession.Result result = session.run(Map.of("features", tensor))) {
      Object theirs = result.get("prediction").orElseThrow().getValue();
      for (int i = 0; i < rows.length; i++) {
        FeatureVector x = FeatureVector.sparse(new int[] {0, 1, 2, 3, 4, 5}, rows[i]);
        assertEquals(model.predict(x), number(theirs, i), 1e-12);
      }
    }
  }

  @Test
  void metadataSaysHowManyCellsThereAre() throws Exception {
    RowModel rows = Exportable.named(CellModels.levels(new Gaussian(1), new Gaussian(2), 0, 1));
    try (OnnxRuntime runtime = new OnnxRuntime(OnnxWriter.write(rows, WIDE), Precision.DOUBLE)) {
      Map<String, String> custom = runtime.session.getMetadata().getCustomMetadata();
      assertEquals("" + rows.model().parts().size(), custom.get("avm4j.cells"));
      assertEquals("" + rows.model().size(), custom.get("avm4j.core_points"));
      assertEquals("DIFFERENCES", custom.get("avm4j.distances"));
    }
  }

  @Test
  void kernelsOfSeveralKindsAreEvaluatedEachInItsCells() throws Exception {
    for (int[] labels : new int[][] {{}, {0, 1, 2}}) {
      Model smooth = CellModels.part(new Gaussian(1.5), Scaling.none(), 2, labels);
      Model edged = CellModels.part(new Matern32(1.2), Scaling.none(), 4, labels);
      Model heavy = CellModels.part(new RationalQuadratic(1, 2), Scaling.none(), 5, labels);
      Model model =
          CellModels.part(new Matern32(0.7), Scaling.none(), 1, labels)
              .with(List.of(CellModels.cells(Scaling.none(), 3, smooth, null, edged, heavy)));
      assertSame(model, Precision.DOUBLE, rows(300, -3, 3), 1e-12);
      assertSame(model, Precision.FLOAT, rows(300, -3, 3), 1e-5);
    }
  }

  @Test
  void leavesOfATreeAreFoundWithoutDistances() throws Exception {
    double[][] rows = rows(400, -4, 4);
    rows[0] = new double[] {0.25, 0.5};
    rows[1] = new double[] {Math.nextUp(0.25), Math.nextUp(0.5)};
    for (int[] labels : new int[][] {{}, {0, 1}, {1, 2, 3, 4}}) {
      Model whole = CellModels.part(new Gaussian(0.8), Scaling.none(), 1, labels);
      List<Model> parts = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        parts.add(i == 2 ? null : CellModels.part(new Gaussian(2), Scaling.none(), 2 + i, labels));
      }
      Cells older = CellModels.cells(Scaling.none(), 9, parts.get(6), null);
      Model model = whole.with(List.of(older, CellModels.leaves(parts.toArray(Model[]::new))));
      assertTrue(expansions(model, rows) >= 7, "too few are reached: " + model);
      assertSame(model, Precision.DOUBLE, rows, 1e-10);
      Model alone = whole.with(List.of(CellModels.leaves(parts.toArray(Model[]::new))));
      assertSame(alone, Precision.DOUBLE, rows, 1e-10);
    }
  }

  /** A column has room for values that no row has had: features that are not written. */
  @Test
  void aFeatureThatNoRowHasIsZero() throws Exception {
    DataSet data = Streams.mixed(Task.CLASSIFICATION, 3, Map.of());
    RowModel plain = data.learn(learner(data, 10));
    int features = plain.model().dimension();
    Exportable exportable = new Exportable(plain, 0);
    assertTrue(
        IntStream.range(0, features).anyMatch(j -> exportable.place(j) < 0),
        "all features are written");
    for (int feature = 0; feature < features; feature++) {
      for (double threshold : new double[] {-0.5, 0, 0.5}) {
        SplitTree tree =
            new SplitTree(
                features,
                plain.model().isOpenEnded(),
                new int[] {feature},
                new double[] {threshold},
                new int[] {~1},
                new int[] {~0});
        List<Model> models = Arrays.asList(other(data), null);
        RowModel rows =
            new RowModel(
                plain.schema(),
                plain.target(),
                plain.classNames(),
                plain.model().with(List.of(new Cells(tree, models))));
        byte[] file = OnnxWriter.write(rows, WIDE);
        try (OnnxRuntime runtime = new OnnxRuntime(file, Precision.DOUBLE)) {
          Answers answers = runtime.ask(rows.schema(), data.columns(), data.test());
          Comparison result = Comparison.of(rows, data.columns(), data.test(), answers);
          assertTrue(result.difference() <= 1e-10, "feature " + feature + ": " + result);
        }
      }
    }
  }
}
