// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.bench.Workload.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Java beside C in one run, as a Markdown table. Slots of C and of Java take turns, so that both
 * see the same load, and the smallest time of each counts.
 *
 * <p>Arguments: rounds (8), milliseconds a slot (60), then shapes (all nine). Needs gcc.
 */
public final class CompareWithC {
  private static final int STEP = 4 + Operation.STEP.ordinal();
  private static final int LEARN = 4 + Operation.LEARN.ordinal();
  private static final int PREDICT = 4 + Operation.PREDICT.ordinal();
  private static final int PREDICT_FLOAT = 4 + Operation.PREDICT_FLOAT.ordinal();

  private final Path program;
  private final int rounds;
  private final int millis;

  private CompareWithC(Path program, int rounds, int millis) {
    this.program = program;
    this.rounds = rounds;
    this.millis = millis;
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    if (!Programs.works("gcc", "--version")) {
      System.err.println("gcc is needed to compile the C loops, and is not on the path");
      System.exit(1);
    }
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    int millis = args.length > 1 ? Integer.parseInt(args[1]) : 60;
    List<String> shapes =
        args.length > 2 ? Arrays.asList(args).subList(2, args.length) : BenchShape.ALL;
    System.out.print(table(rounds, millis, shapes));
  }

  /** The whole comparison. */
  static String table(int rounds, int millis, List<String> shapes) throws IOException {
    Path folder = Files.createTempDirectory("avm4j-bench");
    try {
      return new CompareWithC(Programs.compileLoops(folder), rounds, millis).rows(shapes);
    } finally {
      Programs.delete(folder);
    }
  }

  private String rows(List<String> names) throws IOException {
    List<BenchShape> shapes = names.stream().map(BenchShape::parse).toList();
    List<Workload> workloads = shapes.stream().map(Workload::new).toList();
    List<double[]> best = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      best.add(new double[8]);
      Arrays.fill(best.get(i), Double.POSITIVE_INFINITY);
    }
    String before = Machine.describe();
    for (int round = -2; round < rounds; round++) {
      for (int i = 0; i < shapes.size(); i++) {
        // The first two rounds warm up.
        double[] into = round < 0 ? new double[8] : best.get(i);
        round(shapes.get(i), workloads.get(i), into);
      }
    }
    workloads.forEach(Workload::requireFull);
    StringBuilder text = new StringBuilder();
    text.append(before).append(" before, ").append(Machine.load()).append(" after\n\n");
    text.append(
        "| ns an instance | C | C + 16 | Java step | learn | predict | C float | C float + 16 "
            + "| Java float predict | C/step | C+16/step | C+16/learn | C+16/predict | float |\n");
    text.append("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < shapes.size(); i++) {
      text.append(row(shapes.get(i), best.get(i)));
    }
    return text.toString();
  }

  private static String row(BenchShape shape, double[] t) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f "
            + "| %.2f | %.2f | %.2f | %.2f | %.2f |%n",
        shape,
        t[0],
        t[1],
        t[STEP],
        t[LEARN],
        t[PREDICT],
        t[2],
        t[3],
        t[PREDICT_FLOAT],
        t[0] / t[STEP],
        t[1] / t[STEP],
        t[1] / t[LEARN],
        t[1] / t[PREDICT],
        t[3] / t[PREDICT_FLOAT]);
  }

  private void round(BenchShape shape, Workload workload, double[] best) throws IOException {
    String line =
        Programs.run(
            Map.of(),
            List.of(
                program.toString(),
                Integer.toString(shape.size()),
                Integer.toString(shape.dims()),
                Integer.toString(shape.nonzeros()),
                Integer.toString(millis)));
    String[] times = line.strip().split("\\s+", -1);
    for (int k = 0; k < 4; k++) {
      best[k] = Math.min(best[k], Double.parseDouble(times[k]));
    }
    int batch = (long) shape.size() * shape.stored() > 200_000 ? 8 : Workload.INSTANCES;
    for (Operation operation : Operation.values()) {
      int k = 4 + operation.ordinal();
      best[k] = Math.min(best[k], slots(workload, operation, batch));
    }
  }

  /** Smallest time of one operation over batches, for about {@code millis}. */
  private double slots(Workload workload, Operation operation, int batch) {
    double total = 0;
    long best = Long.MAX_VALUE;
    long begin = System.nanoTime();
    long now;
    do {
      long start = System.nanoTime();
      total += workload.repeat(operation, batch);
      now = System.nanoTime();
      best = Math.min(best, now - start);
    } while (now - begin < millis * 1_000_000L);
    if (Double.isNaN(total)) {
      throw new IllegalStateException("an operation gave NaN");
    }
    return (double) best / batch;
  }
}
