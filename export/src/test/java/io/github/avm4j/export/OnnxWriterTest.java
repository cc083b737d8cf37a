// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxModelMetadata;
import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OnnxWriterTest {
  private static final OnnxOptions WIDE = OnnxOptions.of(Precision.DOUBLE);

  private static void assertClose(DataSet data, Learner learner, OnnxOptions options, double limit)
      throws Exception {
    assertClose(data, data.learn(learner), options, limit);
  }

  private static void assertClose(DataSet data, RowModel rows, OnnxOptions options, double limit)
      throws Exception {
    try (OnnxRuntime runtime =
        new OnnxRuntime(OnnxWriter.write(rows, options), options.precision())) {
      var asked = options.precision() == Precision.FLOAT ? data.roundedTest() : data.test();
      Answers answers = runtime.ask(rows.schema(), data.columns(), asked);
      Comparison result = Comparison.of(rows, data.columns(), asked, answers);
      assertTrue(result.difference() <= limit, rows.model() + ": " + result);
      assertEquals(result.excused(), result.otherLabels(), result.toString());
    }
  }

  @Test
  void everyKindOfColumnIsEncodedAndScaledInTheGraph() throws Exception {
    for (int classes : new int[] {2, 3, 5}) {
      DataSet data = Streams.mixed(Task.CLASSIFICATION, classes, Map.of());
      assertEquals(Column.Kind.DATE, data.schema().columns().get(2).kind());
      Learner learner = Avm.classifier().build();
      assertClose(data, learner, WIDE, 1e-11);
      assertClose(data, Avm.classifier().build(), OnnxOptions.of(Precision.FLOAT), 1e-3);
    }
    assertClose(Streams.mixed(Task.REGRESSION, 0, Map.of()), Avm.regressor().build(), WIDE, 1e-11);
  }

  @Test
  void featuresAreBoundedInTheGraph() throws Exception {
    DataSet data = Streams.mixed(Task.REGRESSION, 0, Map.of());
    assertClose(data, CellModels.narrow(data.learn(Avm.regressor().build())), WIDE, 1e-11);
  }

  @Test
  void hashedColumnsAreHashedInTheGraph() throws Exception {
    DataSet hashed = Streams.mixed(Task.REGRESSION, 0, Map.of("colour", Column.Kind.HASHED));
    assertClose(hashed, Avm.regressor().build(), WIDE, 1e-11);
    DataSet full = Streams.full(Task.CLASSIFICATION, 3);
    assertTrue(full.schema().columns().get(1).buckets() > 0);
    assertEquals(0, full.schema().columns().get(1).details().room());
    assertClose(full, Avm.classifier().build(), WIDE, 1e-11);
  }

  @Test
  void sparseSchemasAreStandardisedInTheGraph() throws Exception {
    DataSet data = Streams.manyValues(Task.REGRESSION);
    assertTrue(data.schema().isSparse());
    assertClose(data, Avm.regressor().build(), WIDE, 1e-11);
  }

  @Test
  void everyKernelInBothForms() throws Exception {
    DataSet data = Streams.mixed(Task.REGRESSION, 0, Map.of("when", Column.Kind.DROPPED));
    for (Kernel kernel : LearnerKinds.kernels(data.spread())) {
      for (Distances form : Distances.values()) {
        boolean rooted = kernel instanceof io.github.avm4j.kernel.Laplacian;
        double limit = rooted && form == Distances.PRODUCTS ? 1e-5 : 1e-9;
        OnnxOptions options = new OnnxOptions(Precision.DOUBLE, form, 0);
        assertClose(data, LearnerKinds.secondOrder(data.task(), kernel), options, limit);
        assertClose(data, LearnerKinds.paper(data.task(), kernel, 1), options, limit);
      }
    }
  }

  @Test
  void metadataSaysWhereAModelComesFrom() throws Exception {
    RowModel rows = Streams.quadrants(2);
    try (OnnxRuntime runtime = new OnnxRuntime(OnnxWriter.write(rows, WIDE), Precision.DOUBLE)) {
      OnnxModelMetadata metadata = runtime.session.getMetadata();
      assertEquals("avm4j", metadata.getProducerName());
      assertEquals("io.github.avm4j", metadata.getDomain());
      Map<String, String> custom = metadata.getCustomMetadata();
      assertEquals("500", custom.get("avm4j.instances"));
      assertEquals(
          rows.name(rows.model().label(0)) + "\n" + rows.name(rows.model().label(1)),
          custom.get("avm4j.classes"));
      assertEquals("PRODUCTS", custom.get("avm4j.distances"));
      assertEquals(rows.model().config().toString(), custom.get("avm4j.configuration"));
      assertEquals(Set.of("features"), runtime.session.getInputNames());
      assertEquals(
          Set.of("prediction", "probabilities", "scores"), runtime.session.getOutputNames());
    }
  }

  @Test
  void outputsGiveWayToColumns() throws Exception {
    DataSet data = Streams.mixed(Task.REGRESSION, 0, Map.of("when", Column.Kind.DROPPED));
    List<Column> columns =
        data.schema().columns().stream()
            .map(c -> c.name().equals("size") ? renamed(c, "prediction") : c)
            .toList();
    RowModel learned = data.learn(Streams.gaussian(Task.REGRESSION));
    RowModel rows =
        new RowModel(new io.github.avm4j.feature.Schema(columns), "y", List.of(), learned.model());
    try (OnnxRuntime runtime = new OnnxRuntime(OnnxWriter.write(rows, WIDE), Precision.DOUBLE)) {
      assertEquals(Set.of("prediction", "colour"), runtime.session.getInputNames());
      assertEquals(Set.of("prediction_"), runtime.session.getOutputNames());
    }
  }

  private static Column renamed(Column c, String name) {
    return new Column(name, c.kind(), c.fill(), c.categories(), c.buckets(), c.details());
  }

  @Test
  void whatOnnxCannotSayIsRefused() {
    List<Column> first = List.of(new Column("colour", Column.Kind.HASHED, 0, List.of(), 2));
    RowModel two = Streams.quadrants(2);
    RowModel rows = new RowModel(new Schema(first), "", two.classNames(), two.model());
    String message =
        assertThrows(NotExpressibleException.class, () -> OnnxWriter.write(rows, WIDE))
            .getMessage();
    assertTrue(message.startsWith("column 'colour' is hashed as the first models"), message);
    assertThrows(
        NotExpressibleException.class,
        () -> OnnxWriter.write(Avm.classifier().build().snapshot(), WIDE));
    assertThrows(NotExpressibleException.class, () -> OnnxWriter.write(two, WIDE.withFeatures(1)));
    assertThrows(IllegalArgumentException.class, () -> WIDE.withFeatures(-1));
  }
}
