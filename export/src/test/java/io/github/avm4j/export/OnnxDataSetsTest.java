// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Row;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every learner and kernel on every public data set, in the real onnxruntime. */
class OnnxDataSetsTest {
  private final InteropTable wide = new InteropTable("onnx-double");
  private final InteropTable narrow = new InteropTable("onnx-float");

  @Test
  void onnxruntimeAnswersAsTheModelDoes() throws Exception {
    assumeTrue(DataSet.isHere(), "no folder of public data sets");
    for (DataSet data : DataSet.all()) {
      for (Map.Entry<String, Learner> kind :
          LearnerKinds.all(data.task(), data.spread()).entrySet()) {
        RowModel rows = data.learn(kind.getValue());
        wide.add(data.name(), kind.getKey(), compare(data, rows, Precision.DOUBLE));
        narrow.add(data.name(), kind.getKey(), compare(data, rows, Precision.FLOAT));
      }
    }
    wide.write();
    narrow.write();
    assertTrue(wide.largest() < 1e-11, wide.text());
    assertTrue(wide.largestProbability() < 1e-8, wide.text());
    assertTrue(narrow.largest() < 1e-2, narrow.text());
    assertEquals(0, wide.unexcused(), wide.text());
    assertEquals(0, narrow.unexcused(), narrow.text());
  }

  private static Comparison compare(DataSet data, RowModel rows, Precision precision)
      throws Exception {
    List<Row> asked = precision == Precision.FLOAT ? data.roundedTest() : data.test();
    OnnxOptions options = OnnxOptions.of(precision).withFeatures(data.features());
    try (OnnxRuntime runtime = new OnnxRuntime(OnnxWriter.write(rows, options), precision)) {
      Answers answers = runtime.ask(rows.schema(), data.columns(), asked);
      if (data.task() == Task.CLASSIFICATION) {
        assertConsistent(rows, answers);
      }
      return Comparison.of(rows, data.columns(), asked, answers);
    }
  }

  /** The label is one of the most probable classes. */
  private static void assertConsistent(RowModel rows, Answers answers) {
    for (int i = 0; i < answers.labels().size(); i++) {
      double[] p = answers.probabilities()[i];
      int label = rows.classNames().indexOf(answers.labels().get(i));
      for (double other : p) {
        assertTrue(p[label] >= other, "row " + i);
      }
    }
  }
}
