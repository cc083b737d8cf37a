// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.bench.Workload.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {

  @ParameterizedTest
  @ValueSource(strings = {"3x2", "40x5", "67x90", "40x50/6", "130x123/14"})
  void theStepIsWhatItsDefinitionSays(String shape) {
    Workload workload = new Workload(BenchShape.parse(shape));
    double[] expected = new double[Workload.INSTANCES];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = workload.stepByDefinition();
    }
    workload.rewind();
    for (double value : expected) {
      assertEquals(value, workload.step(), 1e-9 * (1 + Math.abs(value)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"40x5", "40x50/6"})
  void noOperationAddsACorePoint(String shape) {
    Workload workload = new Workload(BenchShape.parse(shape));
    for (Operation operation : Operation.values()) {
      workload.repeat(operation, 2 * Workload.INSTANCES);
    }
    workload.requireFull();
  }

  @Test
  void shapesAreReadAndWritten() {
    BenchShape.ALL.forEach(text -> assertEquals(text, BenchShape.parse(text).toString()));
    assertThrows(IllegalArgumentException.class, () -> BenchShape.parse("400"));
  }
}
