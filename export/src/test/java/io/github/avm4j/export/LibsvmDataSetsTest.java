// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that LIBSVM can hold, in the real svm-predict; and LIBSVM's own models, here. */
class LibsvmDataSetsTest {
  @TempDir Path folder;

  @Test
  void svmPredictAnswersAsTheModelDoes() throws Exception {
    assumeTrue(DataSet.isHere(), "no folder of public data sets");
    assumeTrue(LibsvmTools.areHere(), "no svm-predict: install libsvm-tools");
    InteropTable table = new InteropTable("libsvm");
    for (DataSet data : DataSet.all()) {
      Path asked = LibsvmTools.data(folder, data.encoder(), data.test(), false);
      for (Map.Entry<String, Learner> kind :
          LearnerKinds.all(data.task(), data.spread()).entrySet()) {
        if (!(kind.getValue().config().kernel() instanceof Gaussian)) {
          continue;
        }
        RowModel rows = data.learn(kind.getValue());
        if (!(rows.model().config().kernel() instanceof Gaussian)) {
          continue;
        }
        try {
          byte[] file = LibsvmWriter.write(rows);
          List<String> said = LibsvmTools.predict(folder, asked, file);
          table.add(data.name(), kind.getKey(), compare(data, unbounded(rows), said));
        } catch (NotExpressibleException e) {
          table.refuse(data.name(), kind.getKey());
        }
      }
    }
    table.write();
    assertTrue(table.largest() < 1e-11, table.text());
    assertEquals(0, table.unexcused(), table.text());
  }

  /** What the file can say: LIBSVM cuts no value that is far outside of what was learned. */
  private static RowModel unbounded(RowModel rows) {
    Model model = rows.model().with(Bounds.NONE);
    return new RowModel(rows.schema(), rows.target(), rows.classNames(), model);
  }

  private static Comparison compare(DataSet data, RowModel rows, List<String> said) {
    if (data.task() == Task.CLASSIFICATION) {
      Answers answers = new Answers(said, new double[0][], new double[0][]);
      return Comparison.of(rows, data.columns(), data.test(), answers);
    }
    double[][] numbers = new double[said.size()][1];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i][0] = Double.parseDouble(said.get(i));
    }
    Answers answers = new Answers(List.of(), numbers, new double[0][]);
    return Comparison.of(rows, data.columns(), data.test(), answers);
  }

  @Test
  void modelsOfSvmTrainAnswerAsSvmPredictDoes() throws Exception {
    assumeTrue(DataSet.isHere(), "no folder of public data sets");
    assumeTrue(LibsvmTools.areHere(), "no svm-train: install libsvm-tools");
    for (DataSet data :
        List.of(
            DataSet.read("a9a", Task.CLASSIFICATION, null),
            DataSet.read("ijcnn1", Task.CLASSIFICATION, null),
            DataSet.read("extra/letter.scale", Task.CLASSIFICATION, null),
            DataSet.read("extra/regression/kin40k.csv", Task.REGRESSION, null))) {
      boolean classes = data.task() == Task.CLASSIFICATION;
      Path train = LibsvmTools.data(folder, data.encoder(), data.train(), true);
      String gamma = Double.toString(1 / data.spread());
      byte[] file =
          LibsvmTools.train(folder, train, "-s", classes ? "0" : "3", "-g", gamma, "-c", "4");
      Path asked = LibsvmTools.data(folder, data.encoder(), data.test(), false);
      List<String> said = LibsvmTools.predict(folder, asked, file);
      LibsvmModel model = LibsvmModel.read(file);
      Learner learner = (classes ? Avm.classifier() : Avm.regressor()).gamma(model.gamma()).build();
      model.teach(learner, 1);
      report(data, model, learner, said);
    }
  }

  private static void report(DataSet data, LibsvmModel model, Learner learner, List<String> said) {
    RowEncoder encoder = data.encoder();
    boolean classes = data.task() == Task.CLASSIFICATION;
    int agreed = 0;
    int right = 0;
    int taughtRight = 0;
    double apart = 0;
    double taught = 0;
    double spread = 0;
    for (int i = 0; i < said.size(); i++) {
      Row row = data.test().get(i);
      double truth = row.labelNumber();
      double svm = Double.parseDouble(said.get(i));
      double own = model.predict(encoder.encode(row));
      double learned = learner.predict(encoder.encode(row));
      if (classes) {
        assertEquals(svm, own, data.name() + " row " + i);
      }
      apart = Math.max(apart, Math.abs(svm - own));
      agreed += learned == svm ? 1 : 0;
      right += svm == truth ? 1 : 0;
      taughtRight += learned == truth ? 1 : 0;
      taught += (learned - svm) * (learned - svm);
      spread += svm * svm;
    }
    int n = said.size();
    System.out.printf(
        "%s: %d support vectors; svm-predict right %d, taught learner right %d and agrees on %d of"
            + " %d; numbers %.1e apart, taught off by %.3f of their size%n",
        data.name(),
        model.size(),
        right,
        taughtRight,
        agreed,
        n,
        apart,
        Math.sqrt(taught / spread));
    assertTrue(apart < 1e-12, data.name() + ": " + apart);
    if (classes) {
      assertTrue(agreed > 0.8 * n, data.name() + ": agrees on " + agreed + " of " + n);
    } else {
      assertTrue(taught < 0.25 * spread, data.name() + ": off by " + taught + " of " + spread);
    }
  }
}
