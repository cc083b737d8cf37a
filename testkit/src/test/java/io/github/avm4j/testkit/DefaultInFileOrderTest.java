// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.AutoLearner;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * ijcnn1 in the order of its file, in which neighbours are alike: losses of a learner that skips,
 * taken as they are, chose sixteen times the γ and twice the mistakes.
 */
class DefaultInFileOrderTest {
  @Test
  void gammaIsFoundWhereNeighboursAreAlike() {
    List<Instance> rows = RealData.libsvm("ijcnn1/ijcnn1");
    AutoLearner learner = Avm.classifier().cells(0).build();
    int mistakes = 0;
    for (Instance row : rows) {
      mistakes += learner.predictThenLearn(row.x(), row.y(), 1) == row.y() ? 0 : 1;
    }
    double error = 100.0 * mistakes / rows.size();
    double gamma = learner.config().kernel().gamma();
    System.out.printf("ijcnn1 in file order: %.2f %% with gamma %.3f%n", error, gamma);
    assertTrue(error < 2.3, error + " % with gamma " + gamma);
  }
}
