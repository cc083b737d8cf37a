// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A prediction of a model. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class PredictBenchmark {
  /** Size, features and, for sparse instances, non-zeros. */
  @Param({
    "400x8",
    "500x22",
    "60x54",
    "130x123/14",
    "130x300/12",
    "27x384",
    "67x90",
    "4000x22",
    "20000x54"
  })
  public String shape = "400x8";

  @SuppressWarnings("NullAway.Init")
  private Workload workload;

  /** Fills the core set. */
  @Setup
  public void setUp() {
    workload = new Workload(BenchShape.parse(shape));
  }

  /** Model.predict. */
  @Benchmark
  public double predict() {
    return workload.predict();
  }
}
