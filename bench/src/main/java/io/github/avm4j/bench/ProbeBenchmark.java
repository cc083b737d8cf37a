// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.loss.Probe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A probe. */
@State(Scope.Thread)
public class ProbeBenchmark {
  int a = 3;

  public ProbeBenchmark() {}

  @Benchmark
  public int probe() {
    return Probe.probe(a, 4);
  }
}
