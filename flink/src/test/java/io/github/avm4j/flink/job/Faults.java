// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.cluster.FlinkProcesses;
import io.github.avm4j.flink.cluster.JavaProcess;
import io.github.avm4j.flink.cluster.JobJar;
import io.github.avm4j.flink.cluster.KafkaBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Rounds of faults, each with new jobs and topics on one cluster and one broker.
 *
 * <pre>
 * Faults TIMES [SEED]
 * </pre>
 */
public final class Faults {
  private Faults() {}

  /** Runs them; throws if anything was not exact. */
  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(args[0]);
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    Path folder = JavaProcess.freshFolder("faults-" + times);
    Map<String, Integer> struck = new TreeMap<>();
    long begin = System.nanoTime();
    try (KafkaBroker broker = new KafkaBroker(folder.resolve("kafka"));
        FlinkProcesses flink = new FlinkProcesses(folder.resolve("flink"), 2)) {
      List<String> classPath = JobJar.classPath(folder.resolve("jars"));
      for (int k = 0; k < times; k++) {
        try (FaultRound round =
            new FaultRound("round-" + k, 1000 * seed + k, folder, broker, flink, classPath)) {
          if (!round.hadDisks()) {
            throw new IllegalStateException("small disks cannot be mounted: run it as root");
          }
          round.run();
          round.struck().forEach((kind, n) -> struck.merge(kind, n, Integer::sum));
        }
      }
    }
    long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - begin);
    System.out.printf("faults: %d rounds in %d minutes, all exact%n", times, minutes);
    struck.forEach((kind, n) -> System.out.printf("faults: %3d %s%n", n, kind));
    System.exit(0);
  }
}
