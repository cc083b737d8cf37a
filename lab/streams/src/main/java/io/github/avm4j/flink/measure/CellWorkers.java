// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import com.sun.management.OperatingSystemMXBean;
import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.operator.CellLearning;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.operator.Schedule;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.FileUtils;

/**
 * Records per second of a job of mode {@code cells} with one and with two workers. Arguments:
 * records of a run, rounds, dimension, cells, and the number of workers if only one is wanted.
 *
 * <p>The source makes the rows: as many clusters as cells, with equally many rows each, a tenth of
 * the labels wrong. Source, routing and learners all have the parallelism of the workers. A rate is
 * that of the last three quarters of a run: n rows less the time of n/4, in which learners have
 * chosen their parameters if each cell gets 1,000 rows or more. Rounds take the numbers of workers
 * in turn. If several are asked for, one more comes first, warms up and is not counted.
 *
 * <p>A worker is a thread that learns, and its source and routing run in another, so that one
 * worker may use more than one processor: the column of processors tells. With {@code taskset -c 0}
 * and one worker it has one.
 */
public final class CellWorkers {
  private static final double NOISE = 0.1;
  private static final double SPREAD = 0.15;
  private static final int PLAN_ROWS_PER_CELL = 150;
  private static final int MOST_KEY_GROUPS = 128;

  private final int d;
  private final int cells;
  private final int n;
  private final CellStart start;

  /** A run of n records. */
  CellWorkers(int d, int cells, int n) throws IOException {
    this.d = d;
    this.cells = cells;
    this.n = n;
    RowLearner rows = new RowLearner(Schema.numbered(), "y", Avm.classifier().build());
    rows.names().add("0");
    rows.names().add("1");
    long plan = (long) PLAN_ROWS_PER_CELL * cells;
    List<Example> first = LongStream.range(-plan, 0).mapToObj(i -> example(i, d, cells)).toList();
    this.start = CellStart.make(new StartFiles(rows), first, cells, Map.of());
  }

  /** Prints a table: a row a number of workers. */
  public static void main(String[] args) throws Exception {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 400_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    int d = args.length > 2 ? Integer.parseInt(args[2]) : 22;
    int cells = args.length > 3 ? Integer.parseInt(args[3]) : 64;
    List<Integer> workers = args.length > 4 ? List.of(Integer.parseInt(args[4])) : List.of(1, 2);
    System.out.println(new CellWorkers(d, cells, n).table(rounds, workers));
  }

  /** Row i, of the cluster {@code i mod cells}. */
  private static Example example(long i, int d, int cells) {
    SplittableRandom centre = new SplittableRandom(Math.floorMod(i, cells));
    SplittableRandom random = new SplittableRandom(i);
    double[] x = new double[d];
    int sides = 0;
    for (int j = 0; j < d; j++) {
      double off = SPREAD * (2 * random.nextDouble() - 1);
      x[j] = centre.nextDouble() + off;
      sides += j < 2 && off > 0 ? 1 : 0;
    }
    boolean wrong = random.nextDouble() < NOISE;
    return new Example("", "", FeatureVector.dense(x), (sides + (wrong ? 1 : 0)) % 2, 1, i);
  }

  /** What a run took. */
  private static final class Times {
    final double seconds;
    final double processors;

    Times(double seconds, double processors) {
      this.seconds = seconds;
      this.processors = processors;
    }
  }

  String table(int rounds, List<Integer> workers) throws Exception {
    double[][] rates = new double[workers.size()][rounds];
    double[][] processors = new double[workers.size()][rounds];
    for (int r = rounds > 1 ? -1 : 0; r < rounds; r++) {
      for (int k = 0; k < rates.length; k++) {
        int w = workers.get(k);
        Times part = run(w, n / 4);
        Times whole = run(w, n);
        double rate = (n - n / 4) / (whole.seconds - part.seconds);
        System.err.printf(Locale.ROOT, "round %d, %d workers: %.0f rows/s%n", r + 1, w, rate);
        if (r >= 0) {
          rates[k][r] = rate;
          processors[k][r] = whole.processors;
        }
      }
    }
    StringBuilder table = new StringBuilder();
    table.append("d = ").append(d).append(", ").append(cells).append(" cells; ").append(balance());
    table.append(
        "\n| workers | rows/s | least | largest | processors used |\n|--:|--:|--:|--:|--:|");
    for (int k = 0; k < rates.length; k++) {
      table.append(
          String.format(
              Locale.ROOT,
              "%n| %d | %.0f | %.0f | %.0f | %.2f |",
              workers.get(k),
              EngineTax.median(rates[k]),
              EngineTax.quantile(rates[k], 0),
              EngineTax.quantile(rates[k], 1),
              EngineTax.median(processors[k])));
    }
    if (workers.size() == 2) {
      table.append("\n").append(ratio(rates, workers));
    }
    return table.toString();
  }

  private static String ratio(double[][] rates, List<Integer> workers) {
    double[] ratios = new double[rates[0].length];
    Arrays.setAll(ratios, r -> rates[1][r] / rates[0][r]);
    return String.format(
        Locale.ROOT,
        "%d workers against %d: %.2f, rounds from %.2f to %.2f",
        workers.get(1),
        workers.get(0),
        EngineTax.median(ratios),
        EngineTax.quantile(ratios, 0),
        EngineTax.quantile(ratios, 1));
  }

  /** How even rows are over cells, and cells over two workers: the busier sets the pace. */
  private String balance() throws IOException {
    CellPlan plan = start.plan();
    int rows = PLAN_ROWS_PER_CELL * cells;
    int[] ofCell = new int[plan.size()];
    int ofFirst = 0;
    for (int i = 0; i < rows; i++) {
      int cell = plan.cellOf(example(i, d, cells).x());
      ofCell[cell]++;
      int worker = KeyGroupRangeAssignment.assignKeyToParallelOperator(cell, MOST_KEY_GROUPS, 2);
      ofFirst += worker == 0 ? 1 : 0;
    }
    int largest = Arrays.stream(ofCell).max().orElse(0);
    return String.format(
        Locale.ROOT,
        "the largest of %d has %.1f %% of rows, the busier of two workers %.1f %%",
        plan.size(),
        100.0 * largest / rows,
        100.0 * Math.max(ofFirst, rows - ofFirst) / rows);
  }

  private Times run(int workers, int count) throws Exception {
    Path folder = Files.createTempDirectory("cell-workers");
    try {
      return run(workers, count, folder);
    } finally {
      FileUtils.deleteDirectory(folder.toFile());
    }
  }

  private Times run(int workers, int count, Path folder) throws Exception {
    Configuration options = new Configuration();
    options.setString("pipeline.object-reuse", "true");
    options.setString("pipeline.generic-types", "false");
    options.setString("pipeline.max-parallelism", Integer.toString(MOST_KEY_GROUPS));
    options.setString("execution.checkpointing.interval", "10 s");
    // Learners of many cells are more than a job manager takes into its memory.
    options.setString("execution.checkpointing.dir", folder.toUri().toString());
    options.setString("restart-strategy.type", "none");
    options.setString("rest.port", "0");
    var env = StreamExecutionEnvironment.createLocalEnvironment(workers, options);
    int features = d;
    int clusters = cells;
    DataStream<Example> examples =
        env.fromSource(
            new DataGeneratorSource<>(
                i -> example(i, features, clusters), count, Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples");
    Schedule rarely = Schedule.everyInstances(100_000);
    CellLearning learning =
        CellLearning.on(
            examples,
            new CellLearning.Settings(
                "workers", start, workers, rarely, 100_000, 0, "", 0, true, "", List.of()));
    learning.models().sinkTo(new DiscardingSink<>()).setParallelism(1);
    learning.predictions().sinkTo(new DiscardingSink<>());
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    double seconds = env.execute().getNetRuntime() / 1e3;
    return new Times(seconds, (system.getProcessCpuTime() - before) / 1e9 / seconds);
  }
}
