// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LibsvmTest {
  private static final String TINY =
      """
      svm_type c_svc
      kernel_type rbf
      gamma 0.5
      nr_class 2
      total_sv 2
      rho 0.25
      label 1 -1
      nr_sv 1 1
      SV
      1 1:1
      -1 2:1
      """;

  private static final String NUMBER =
      """
      svm_type epsilon_svr
      kernel_type rbf
      gamma 0.5
      nr_class 2
      total_sv 1
      rho 1.5
      SV
      2 3:4
      """;

  private static LibsvmModel read(String text) {
    return LibsvmModel.read(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aModelByHand() {
    LibsvmModel model = read(TINY);
    assertEquals(2, model.size());
    assertEquals(0.5, model.gamma());
    assertEquals(1, model.predict(FeatureVector.dense(1, 0)));
    // At equal distances the sum is -rho: the second label.
    assertEquals(-1, model.predict(FeatureVector.dense(0, 0)));
    assertEquals(
        2 * Math.exp(-0.5) - 1.5, read(NUMBER).predict(FeatureVector.dense(0, 0, 3)), 1e-15);
  }

  @Test
  void whatIsWrittenIsReadWithTheSameLabels() {
    for (int classes : new int[] {2, 3, 4}) {
      RowModel rows = Streams.quadrants(classes);
      LibsvmModel model = LibsvmModel.read(LibsvmWriter.write(rows));
      Random random = new Random(9);
      for (int i = 0; i < 500; i++) {
        FeatureVector x = FeatureVector.dense(random.nextGaussian(), random.nextGaussian());
        assertEquals(rows.name(rows.model().predict(x)), Integer.toString((int) model.predict(x)));
      }
    }
  }

  @Test
  void numbersAreEqualToRounding() {
    Learner learner = Avm.regressor().scaling(ScalingMode.NONE).build();
    Random random = new Random(2);
    for (int i = 0; i < 500; i++) {
      double x = random.nextGaussian();
      learner.learn(new double[] {x}, 100 + Math.sin(3 * x));
    }
    Model model = learner.snapshot();
    LibsvmModel read = LibsvmModel.read(LibsvmWriter.write(model));
    for (double x = -2; x < 2; x += 0.1) {
      assertEquals(model.predict(x), read.predict(FeatureVector.dense(x)), 1e-8);
    }
  }

  @Test
  void teachingNeedsTheSameTaskAndLearnsEveryVector() {
    LibsvmModel model = LibsvmModel.read(LibsvmWriter.write(Streams.quadrants(4)));
    Learner learner = Avm.classifier().build();
    model.teach(learner, 1);
    assertEquals(model.size(), learner.instances());
    assertEquals(4, learner.classes());
    assertThrows(IllegalArgumentException.class, () -> model.teach(Avm.regressor().build(), 1));
  }

  @Test
  void whatLibsvmCannotSayIsRefused() {
    DataSet mixed = Streams.mixed(Task.CLASSIFICATION, 2, Map.of());
    assertRefused("columns that are no numbers", mixed.learn(Streams.gaussian(mixed.task())));
    assertRefused("scales features", mixed.learn(Avm.classifier().build()));
    Learner matern = LearnerKinds.paper(mixed.task(), new Matern32(1), 1);
    assertRefused("Matern32", mixed.learn(matern));
    RowModel two = Streams.quadrants(2);
    assertRefused("'yes'", new RowModel(Schema.numbered(), "", List.of("no", "yes"), two.model()));
    assertRefused(
        "cells with a kernel expansion of their own", CellModels.divided(two, two.model()));
    assertRefused("two classes", Streams.quadrants(1));
  }

  private static void assertRefused(String why, RowModel rows) {
    String message =
        assertThrows(NotExpressibleException.class, () -> LibsvmWriter.write(rows)).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void damagedModelsAreNamedByLine() {
    assertBad("svm_type one_class is not known", TINY.replace("c_svc", "one_class"));
    assertBad("kernel_type linear", TINY.replace("rbf", "linear"));
    assertBad("gamma must be > 0", TINY.replace("gamma 0.5", "gamma -1"));
    assertBad("'NaN' is not finite", TINY.replace("rho 0.25", "rho NaN"));
    assertBad("total_sv is 2000000000", TINY.replace("total_sv 2", "total_sv 2000000000"));
    assertBad("two classes have one label", TINY.replace("label 1 -1", "label 1 1"));
    assertBad("do not go together", TINY.replace("rho 0.25", "rho 0.25 1"));
    assertBad("does not share out", TINY.replace("nr_sv 1 1", "nr_sv 3 -1"));
    assertBad("does not share out", TINY.replace("nr_sv 1 1", "nr_sv 2"));
    assertBad("indices must ascend", TINY.replace("2:1", "2:1 2:1"));
    assertBad("indices must ascend", TINY.replace("2:1", "0:1"));
    assertBad("line 11: index:value", TINY.replace("2:1", "two"));
    assertBad("no line SV", "svm_type c_svc");
    assertBad("the header has no gamma", TINY.replace("gamma 0.5\n", ""));
  }

  private static void assertBad(String why, String text) {
    String message = assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage();
    assertTrue(message.contains(why), message);
  }
}
