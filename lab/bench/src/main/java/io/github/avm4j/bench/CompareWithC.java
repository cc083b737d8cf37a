// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.bench.Workload.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
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
  /** The smallest times seen for one shape, in nanoseconds. */
  private static final class Times {
    final double[] c = new double[2];
    final Map<Operation, Double> java = new EnumMap<>(Operation.class);

    Times() {
      Arrays.fill(c, Double.POSITIVE_INFINITY);
    }

    double of(Operation operation) {
      return java.getOrDefault(operation, Double.NaN);
    }
  }

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
    List<Times> best = shapes.stream().map(shape -> new Times()).toList();
    String before = Machine.describe();
    for (int round = -2; round < rounds; round++) {
      for (int i = 0; i < shapes.size(); i++) {
        // The first two rounds warm up.
        Times into = round < 0 ? new Times() : best.get(i);
        round(shapes.get(i), workloads.get(i), into);
      }
    }
    workloads.forEach(Workload::requireFull);
    StringBuilder text = new StringBuilder();
    text.append(before).append(" before, ").append(Machine.load()).append(" after\n\n");
    text.append(
        "| ns an instance | C | C + 16 | Java step | learn | predict "
            + "| C/step | C+16/step | C+16/learn | C+16/predict |\n");
    text.append("|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < shapes.size(); i++) {
      text.append(row(shapes.get(i), best.get(i)));
    }
    return text.toString();
  }

  private static String row(BenchShape shape, Times times) {
    double[] c = times.c;
    double step = times.of(Operation.STEP);
    double learn = times.of(Operation.LEARN);
    double predict = times.of(Operation.PREDICT);
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f | %.2f |%n",
        shape,
        c[0],
        c[1],
        step,
        learn,
        predict,
        c[0] / step,
        c[1] / step,
        c[1] / learn,
        c[1] / predict);
  }

  private void round(BenchShape shape, Workload workload, Times best) throws IOException {
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
    for (int k = 0; k < best.c.length; k++) {
      best.c[k] = Math.min(best.c[k], Double.parseDouble(times[k]));
    }
    int batch = (long) shape.size() * shape.stored() > 200_000 ? 8 : Workload.INSTANCES;
    for (Operation operation : Operation.values()) {
      best.java.merge(operation, slots(workload, operation, batch), Math::min);
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
