// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.feature.Row;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every learner with the Gaussian kernel on every public data set, in the real evaluator. */
class PmmlDataSetsTest {
  private static final int ASKED = 200;

  @Test
  void theEvaluatorAnswersAsTheModelDoes() throws Exception {
    assumeTrue(DataSet.isHere(), "no folder of public data sets");
    InteropTable table = new InteropTable("pmml");
    for (DataSet data : DataSet.all()) {
      List<Row> asked = data.test().subList(0, ASKED);
      for (Map.Entry<String, Learner> kind :
          LearnerKinds.all(data.task(), data.spread()).entrySet()) {
        if (!(kind.getValue().config().kernel() instanceof Gaussian)) {
          continue;
        }
        RowModel rows = data.learn(kind.getValue());
        if (!(rows.model().config().kernel() instanceof Gaussian)) {
          continue;
        }
        PmmlRuntime runtime = new PmmlRuntime(PmmlWriter.write(rows, data.features()));
        Answers answers = runtime.ask(rows, data.columns(), asked);
        Comparison result = Comparison.of(rows, data.columns(), asked, answers);
        table.add(data.name(), kind.getKey(), result);
      }
    }
    table.write();
    assertTrue(table.largest() < 1e-11, table.text());
    assertEquals(0, table.unexcused(), table.text());
  }
}
