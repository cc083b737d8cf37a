// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.testkit.Exemption;
import io.github.avm4j.testkit.LearnerChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** Every online method of the registry passes the contract, or says what it cannot. */
class ContractTest {
  private static final Settings SETTINGS = new Settings(4, 0.5, 1e-2, 1, 0.4, 40, 300, 3);

  private static Exemption[] exemptions(Method method, Task task) {
    List<Exemption> exemptions = new ArrayList<>();
    String name = method.name();
    if (name.equals("majority") || name.equals("no-change")) {
      exemptions.add(new Exemption("learns", "it is the constant that others are held against"));
    }
    if (name.equals("no-change")) {
      exemptions.add(new Exemption("weight matters", "the previous target has no weight"));
    }
    if (name.equals("majority") && task == Task.CLASSIFICATION) {
      exemptions.add(new Exemption("weight matters", "equal weights leave shares as they are"));
    }
    return exemptions.toArray(Exemption[]::new);
  }

  @TestFactory
  Stream<DynamicContainer> everyMethod() {
    List<DynamicContainer> containers = new ArrayList<>();
    for (Method method : Methods.all()) {
      for (Task task : method.tasks()) {
        if (method.create(task, SETTINGS) instanceof Learner) {
          continue; // core's own, checked in the testkit's contract test
        }
        containers.add(
            DynamicContainer.dynamicContainer(
                method.name() + " " + task,
                LearnerChecks.all(
                    () -> method.create(task, SETTINGS), 1e-9, exemptions(method, task))));
      }
    }
    return containers.stream();
  }
}
