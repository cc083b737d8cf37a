// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Every benchmark runs, for a moment and in this process: a check of the code, not of its speed.
 */
class BenchmarksTest {
  static {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void everyBenchmarkRunsOnDenseAndSparseShapes() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("io\\.github\\.avm4j\\.bench\\..*")
            .param("shape", "40x5", "40x50/6")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertEquals(2 * 4, results.size());
    results.forEach(result -> assertTrue(result.getPrimaryResult().getScore() > 0));
  }
}
