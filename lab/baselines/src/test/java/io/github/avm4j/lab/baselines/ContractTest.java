// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.testkit.LearnerChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** Every online method of the paper passes the contract. */
class ContractTest {
  private static final Settings SETTINGS = new Settings(4, 0.5, 1e-2, 1, 0.4, 40, 300, 3);

  /**
   * An inverse Gram matrix, its eigenvectors and a line search multiply the rounding of distances.
   */
  private static double tolerance(Method method) {
    return switch (method.name()) {
      case "projectron", "projectron++" -> 1e-6;
      case "nogd" -> 1e-5;
      case "bsgd-m" -> 1e-4; // a line search ends where rounding lets it
      default -> 1e-9;
    };
  }

  @TestFactory
  Stream<DynamicContainer> everyMethod() {
    List<DynamicContainer> containers = new ArrayList<>();
    for (Method method : PaperMethods.others()) {
      for (Task task : method.tasks()) {
        if (method.create(task, SETTINGS) instanceof Learner) {
          continue; // core's own, checked in the testkit's contract test
        }
        containers.add(
            DynamicContainer.dynamicContainer(
                method.name() + " " + task,
                LearnerChecks.all(() -> method.create(task, SETTINGS), tolerance(method))));
      }
    }
    return containers.stream();
  }
}
