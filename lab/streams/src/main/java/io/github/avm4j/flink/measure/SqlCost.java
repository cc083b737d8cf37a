// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import com.sun.management.OperatingSystemMXBean;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.EvaluatedRows;
import io.github.avm4j.flink.sql.AvmLearn;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/**
 * Processor time a row of {@code ML_PREDICT} and {@code avm_learn} beside plain loops and beside
 * the same query without them, one subtask each. Arguments: rows per run, rounds.
 *
 * <p>It is the time of all threads of the process, which other processes hardly change.
 *
 * <p>Every time is (T(n) − T(n/4)) / (3n/4), as in {@link EngineTax}; the rounds of all kinds
 * alternate, the first is not counted, and medians are taken over the others. RocksDB, which reads
 * and writes the learner's file for each row, has a hundredth of the rows.
 */
public final class SqlCost {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final int FEATURES = 8;
  private static final int TAUGHT = 5000;
  private static final List<String> NAMES =
      IntStream.range(0, FEATURES).mapToObj(j -> "f" + j).toList();
  private static final String FIELDS = String.join(", ", NAMES);

  private final Path file;
  private final RowModel model;

  SqlCost(Path folder, int taught) throws Exception {
    EvaluatedRows learner = learner();
    learn(learner, taught);
    model = learner.rows().snapshot();
    file = Files.write(folder.resolve("cost.avm"), model.toBytes());
  }

  /** Prints a table. */
  public static void main(String[] args) throws Exception {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    SqlCost cost = new SqlCost(Files.createTempDirectory("sql-cost"), TAUGHT);
    System.out.println("core points of the model: " + cost.model.model().size());
    Map<Kind, double[]> times = new EnumMap<>(Kind.class);
    for (int r = -1; r < rounds; r++) {
      for (Kind kind : Kind.values()) {
        int rows = kind == Kind.LEARN_ROCKSDB ? n / 100 : n;
        double part = cost.seconds(kind, rows / 4);
        double micros = (cost.seconds(kind, rows) - part) * 1e6 / (rows - rows / 4);
        System.err.printf(Locale.ROOT, "round %d: %s %.1f µs%n", r, kind, micros);
        if (r >= 0) {
          times.computeIfAbsent(kind, key -> new double[rounds])[r] = micros;
        }
      }
    }
    System.out.println("| kind | µs a row | rows/s |");
    System.out.println("|---|--:|--:|");
    times.forEach(
        (kind, all) -> {
          double micros = EngineTax.median(all);
          System.out.printf(Locale.ROOT, "| %s | %.1f | %.0f |%n", kind, micros, 1e6 / micros);
        });
  }

  /** What is timed. */
  enum Kind {
    PREDICT_LOOP,
    QUERY_ALONE,
    ML_PREDICT,
    LEARN_LOOP,
    AVM_LEARN,
    LEARN_ROCKSDB
  }

  /** Seconds of processor time that so many rows take. */
  double seconds(Kind kind, int rows) throws Exception {
    long start = PROCESS.getProcessCpuTime();
    run(kind, rows);
    return (PROCESS.getProcessCpuTime() - start) / 1e9;
  }

  private void run(Kind kind, int rows) throws Exception {
    switch (kind) {
      case PREDICT_LOOP -> predict(rows);
      case LEARN_LOOP -> learn(learner(), rows);
      case QUERY_ALONE -> query("SELECT f0, y FROM rated", rows, "hashmap");
      case ML_PREDICT ->
          query(
              "SELECT p, y FROM ML_PREDICT(TABLE rated, MODEL m, DESCRIPTOR(" + FIELDS + "))",
              rows,
              "hashmap");
      case AVM_LEARN, LEARN_ROCKSDB ->
          query(
              "SELECT error, prediction FROM avm_learn(input => TABLE rated, label => DESCRIPTOR(y))",
              rows,
              kind == Kind.AVM_LEARN ? "hashmap" : "rocksdb");
    }
  }

  private static EvaluatedRows learner() {
    Schema.Builder schema = Schema.builder();
    NAMES.forEach(schema::number);
    return new EvaluatedRows(RowLearner.classifier(schema.build()).build());
  }

  private static void fill(Row row, SplittableRandom random) {
    row.reset(FEATURES);
    for (int j = 0; j < FEATURES; j++) {
      row.setNumber(j, random.nextDouble());
    }
    int cells = (int) (2 * row.number(0)) + (int) (2 * row.number(1));
    row.setLabel(cells % 2 == 0 ? "even" : "odd");
  }

  private static void learn(EvaluatedRows learner, int rows) {
    SplittableRandom random = new SplittableRandom(7);
    Row row = new Row();
    for (int i = 0; i < rows; i++) {
      fill(row, random);
      learner.step(NAMES, row);
    }
  }

  private void predict(int rows) {
    RowEncoder encoder = model.schema().encoder(NAMES);
    SplittableRandom random = new SplittableRandom(8);
    Row row = new Row();
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      fill(row, random);
      sum += model.model().predict(encoder.encode(row));
    }
    if (sum < 0) {
      throw new IllegalStateException("labels are not negative");
    }
  }

  private void query(String select, int rows, String backend) throws Exception {
    Configuration options = new Configuration();
    options.setString("parallelism.default", "1");
    options.setString("pipeline.object-reuse", "true");
    options.setString("state.backend.type", backend);
    options.setString("rest.port", "0");
    TableEnvironment tables =
        TableEnvironment.create(
            EnvironmentSettings.newInstance().inStreamingMode().withConfiguration(options).build());
    List<String> columns = new ArrayList<>();
    StringBuilder ranges = new StringBuilder();
    for (String name : NAMES) {
      columns.add(name + " DOUBLE");
      ranges.append(", 'fields.%s.min' = '0', 'fields.%s.max' = '1'".formatted(name, name));
    }
    for (String statement :
        List.of(
            "CREATE TABLE gen (%s) WITH ('connector' = 'datagen', 'number-of-rows' = '%d', %s%s)"
                .formatted(
                    String.join(", ", columns), rows, "'rows-per-second' = '100000000'", ranges),
            "CREATE VIEW rated AS SELECT *, IF(MOD(CAST(FLOOR(2 * f0) + FLOOR(2 * f1) AS INT), 2) = 0,"
                + " 'even', 'odd') AS y FROM gen",
            "CREATE MODEL m INPUT (%s) OUTPUT (p STRING) WITH ('provider' = 'avm', 'path' = '%s')"
                .formatted(String.join(", ", columns), file),
            "CREATE FUNCTION avm_learn AS '" + AvmLearn.class.getName() + "'",
            "CREATE TABLE nothing (a STRING, b STRING) WITH ('connector' = 'blackhole')")) {
      tables.executeSql(statement);
    }
    String cast = "INSERT INTO nothing SELECT CAST(a AS STRING), b FROM (%s) AS t(a, b)";
    tables.executeSql(cast.formatted(select)).await();
  }
}
