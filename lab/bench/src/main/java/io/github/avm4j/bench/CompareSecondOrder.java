// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.internal.newton.SecondOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The second-order step in Java beside the same step in C and, if OpenBLAS is installed, by dsymv
 * and dsyr, in one run, as a Markdown table. Slots take turns; the smallest time of each counts.
 *
 * <p>Arguments: rounds (8), milliseconds a slot (200), then sizes (50 100 200 256 500 1000).
 */
public final class CompareSecondOrder {
  private static final int VECTORS = 64;

  private final SecondOrder solver = new SecondOrder(0.01, 1);
  private final double[][] kernels;
  private final double[] pull = {1e-3};

  private CompareSecondOrder(int size) {
    SplittableRandom random = new SplittableRandom(7);
    // Core points far from each other: K is the identity, so P starts as 100·I as in C.
    double[] none = new double[size + 32];
    for (int i = 0; i < size; i++) {
      solver.append(solver.residual(none));
    }
    kernels = new double[VECTORS][size + 32];
    for (double[] kernel : kernels) {
      for (int i = 0; i < size; i++) {
        kernel[i] = random.nextDouble();
      }
    }
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    int millis = args.length > 1 ? Integer.parseInt(args[1]) : 200;
    int[] sizes = {50, 100, 200, 256, 500, 1000};
    if (args.length > 2) {
      sizes = List.of(args).subList(2, args.length).stream().mapToInt(Integer::parseInt).toArray();
    }
    System.out.print(table(rounds, millis, sizes));
  }

  static String table(int rounds, int millis, int... sizes) throws IOException {
    Path folder = Files.createTempDirectory("avm4j-bench");
    try {
      Path program = compile(folder);
      StringBuilder out = new StringBuilder(Machine.describe()).append('\n');
      out.append("\n| S | Java ns | C ns | BLAS ns | Java's speed of the faster |\n");
      out.append("|--:|--:|--:|--:|--:|\n");
      for (int size : sizes) {
        out.append(row(program, size, rounds, millis));
      }
      return out.toString();
    } finally {
      Programs.delete(folder);
    }
  }

  private static Path compile(Path folder) throws IOException {
    String source = Programs.extract("second_order.c", folder).toString();
    Path program = folder.resolve("second_order");
    List<String> flags =
        List.of("gcc", "-O3", "-march=native", "-ffast-math", "-o", program.toString(), source);
    List<String> libraries = List.of("-DBLAS", "-lopenblas", "-lm");
    try {
      Programs.run(Map.of(), concat(flags, libraries));
    } catch (IOException withoutBlas) {
      Programs.run(Map.of(), concat(flags, List.of("-lm")));
    }
    return program;
  }

  private static List<String> concat(List<String> a, List<String> b) {
    return java.util.stream.Stream.concat(a.stream(), b.stream()).toList();
  }

  private static String row(Path program, int size, int rounds, int millis) throws IOException {
    CompareSecondOrder java = new CompareSecondOrder(size);
    java.nanos(10L * millis);
    double ours = Double.POSITIVE_INFINITY;
    double own = Double.POSITIVE_INFINITY;
    double blas = Double.POSITIVE_INFINITY;
    for (int round = 0; round < rounds; round++) {
      ours = Math.min(ours, java.nanos(millis));
      String[] lines =
          Programs.run(
                  Map.of("OPENBLAS_NUM_THREADS", "1"),
                  List.of(program.toString(), Integer.toString(size), Integer.toString(millis)))
              .split("\n");
      own = Math.min(own, Double.parseDouble(lines[0]));
      blas = lines.length > 1 ? Math.min(blas, Double.parseDouble(lines[1])) : blas;
    }
    return String.format(
        Locale.ROOT,
        "| %d | %.0f | %.0f | %s | %.2f |%n",
        size,
        ours,
        own,
        blas < Double.POSITIVE_INFINITY ? String.format(Locale.ROOT, "%.0f", blas) : "–",
        Math.min(own, blas) / ours);
  }

  /** Nanoseconds a step over about so many milliseconds. */
  private double nanos(long millis) {
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000;
    long steps = 0;
    long time = begin;
    while (time < end) {
      for (int v = 0; v < 16; v++) {
        solver.spread(kernels[(int) ((steps + v) % VECTORS)]);
        solver.step(pull, 0.25);
      }
      steps += 16;
      time = System.nanoTime();
    }
    return (time - begin) / (double) steps;
  }
}
