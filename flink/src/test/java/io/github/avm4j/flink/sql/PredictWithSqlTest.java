// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CREATE MODEL and ML_PREDICT with a model file or folder. */
class PredictWithSqlTest {
  private static final String DATAGEN =
      """
      CREATE TEMPORARY TABLE gen (a DOUBLE, b DOUBLE)
      WITH ('connector' = 'datagen', 'rows-per-second' = '50')
      """;

  private static final TypeInformation<Row> PEOPLE =
      Types.ROW_NAMED(
          new String[] {"id", "age", "size", "d", "town"},
          Types.INT,
          Types.INT,
          Types.DOUBLE,
          Types.STRING,
          Types.STRING);

  @TempDir Path folder;

  private static Map<String, Object> cells(SplittableRandom random) {
    Map<String, Object> row = new HashMap<>();
    row.put("size", random.nextInt(10) == 0 ? null : random.nextDouble(3));
    row.put("age", random.nextInt(10) == 0 ? null : random.nextInt(60));
    row.put("town", random.nextInt(10) == 0 ? null : "town" + random.nextInt(4));
    row.put("day", random.nextInt(10) == 0 ? null : "2026-0" + (1 + random.nextInt(8)) + "-17");
    return row;
  }

  private static RowModel named() {
    Schema schema =
        Schema.builder().number("size").number("age").category("town").date("day").build();
    RowLearner learner = RowLearner.classifier(schema).build();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 600; i++) {
      Map<String, Object> row = cells(random);
      boolean large = row.get("size") instanceof Double size && size > 1.2;
      learner.learn(row, large || "town2".equals(row.get("town")) ? "yes" : "no");
    }
    return learner.snapshot();
  }

  private static Learner constant(double y) {
    Learner learner = Avm.regressor().build();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 60; i++) {
      FeatureVector x = FeatureVector.dense(random.nextDouble(), random.nextDouble());
      learner.predictThenLearn(x, y + random.nextDouble(0.01), 1);
    }
    return learner;
  }

  private static void replace(Path file, byte[] bytes) throws Exception {
    Path next = file.resolveSibling("next.tmp");
    Files.write(next, bytes);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void predictsWhatTheModelDoes() throws Exception {
    RowModel model = named();
    Path file = Files.write(folder.resolve("m.avm"), model.toBytes());
    SqlRun sql = new SqlRun();
    List<Row> rows = new ArrayList<>();
    List<Map<String, Object>> maps = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 200; i++) {
      Map<String, Object> map = cells(random);
      maps.add(map);
      rows.add(Row.of(i, map.get("age"), map.get("size"), map.get("day"), map.get("town")));
    }
    sql.table("given", PEOPLE, rows);
    sql.run(
        "CREATE TEMPORARY VIEW people AS SELECT *, CAST(d AS DATE) AS dd FROM given",
        """
        CREATE TEMPORARY MODEL m
        INPUT (age DOUBLE, size DOUBLE, `day` DATE, town STRING)
        OUTPUT (label STRING, probability DOUBLE, model STRING)
        WITH ('provider' = 'avm', 'path' = '%s')
        """
            .formatted(file.toUri()));
    List<Row> predicted =
        sql.rows(
            "SELECT id, label, probability, model FROM ML_PREDICT("
                + "TABLE people, MODEL m, DESCRIPTOR(age, size, dd, town))");
    assertEquals(200, predicted.size());
    for (Row row : predicted) {
      Map<String, Object> map = maps.get((Integer) row.getField(0));
      String expected = model.predictClass(map).orElseThrow();
      assertEquals(expected, row.getField(1));
      assertEquals(model.probabilities(map).get(expected), row.getField(2));
      assertEquals(file.toString(), row.getField(3));
    }
  }

  @Test
  void predictsWithNumberedFeaturesByPosition() throws Exception {
    byte[] bytes = TestStream.expected(500);
    RowModel model = RowModel.read(bytes);
    Files.write(folder.resolve("m.avm"), bytes);
    SqlRun sql = new SqlRun();
    List<Row> rows = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100; i++) {
      rows.add(Row.of(random.nextDouble(), i % 7 == 0 ? null : random.nextDouble(), 0.5f));
    }
    TypeInformation<Row> type =
        Types.ROW_NAMED(new String[] {"x", "y", "z"}, Types.DOUBLE, Types.DOUBLE, Types.FLOAT);
    sql.table("points", type, rows);
    sql.run(
        """
        CREATE TEMPORARY MODEL m INPUT (x DOUBLE, y DOUBLE, z FLOAT) OUTPUT (label DOUBLE)
        WITH ('provider' = 'avm', 'path' = '%s')
        """
            .formatted(folder));
    List<Row> predicted =
        sql.rows("SELECT * FROM ML_PREDICT(TABLE points, MODEL m, DESCRIPTOR(x, y, z))");
    assertEquals(100, predicted.size());
    for (Row row : predicted) {
      double y = row.getField(1) == null ? 0 : (Double) row.getField(1);
      FeatureVector x =
          FeatureVector.sparse(
              new int[] {0, 1, 2}, new double[] {(Double) row.getField(0), y, 0.5});
      assertEquals(Double.parseDouble(model.name(model.model().predict(x))), row.getField(3));
    }
  }

  @Test
  void laterRowsAreOfTheNewModelAndABrokenFileChangesNothing() throws Exception {
    Path file = Files.write(folder.resolve("m.avm"), constant(1).toBytes());
    SqlRun sql = new SqlRun();
    sql.run(DATAGEN, model("a DOUBLE, b DOUBLE", "v DOUBLE", file));
    try (SqlRun.Rows rows =
        sql.stream("SELECT v FROM ML_PREDICT(TABLE gen, MODEL m, DESCRIPTOR(a, b))")) {
      await(rows, 1);
      replace(file, constant(2).toBytes());
      await(rows, 2);
      replace(file, "no model".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      for (int i = 0; i < 50; i++) {
        assertEquals(2, Math.round((Double) rows.next().getField(0)));
      }
      replace(file, constant(3).toBytes());
      await(rows, 3);
    }
  }

  @Test
  void followsThePointerOfAFolder() throws Exception {
    String older = "m-0198a1b2-c3d4-7e5f-8a6b-0123456789ab-000500.avm";
    String newer = "m-0198ffff-c3d4-7e5f-8a6b-0123456789ab-000001.avm";
    Files.write(folder.resolve(older), constant(1).toBytes());
    Files.write(folder.resolve(newer), constant(2).toBytes());
    Files.writeString(folder.resolve("m.latest"), older + "\n");
    SqlRun sql = new SqlRun();
    sql.run(DATAGEN, model("a DOUBLE, b DOUBLE", "v DOUBLE", folder));
    try (SqlRun.Rows rows =
        sql.stream("SELECT v FROM ML_PREDICT(TABLE gen, MODEL m, DESCRIPTOR(a, b))")) {
      await(rows, 1);
      replace(folder.resolve("m.latest"), newer.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      await(rows, 2);
    }
  }

  /** Reads rows until one is predicted as {@code expected}; no other value than the one before. */
  private static void await(SqlRun.Rows rows, long expected) {
    long got;
    do {
      got = Math.round((Double) rows.next().getField(0));
      assertTrue(got == expected || got == expected - 1, got + " while waiting for " + expected);
    } while (got != expected);
  }

  private static String model(String input, String output, Path path) {
    return "CREATE TEMPORARY MODEL m INPUT (%s) OUTPUT (%s) WITH ('provider' = 'avm', %s)"
        .formatted(input, output, "'path' = '" + path + "', 'reload' = '50ms'");
  }

  private String refusal(String input, String output, Path path) {
    SqlRun sql = new SqlRun();
    sql.run(DATAGEN, model(input, output, path));
    String query = "SELECT * FROM ML_PREDICT(TABLE gen, MODEL m, DESCRIPTOR(a, b))";
    return SqlRun.messages(assertThrows(Exception.class, () -> sql.rows(query)));
  }

  private static void contains(String all, String part) {
    assertTrue(all.contains(part), all);
  }

  @Test
  void aQueryFailsWithWhatToDeclare() throws Exception {
    Path named = Files.write(folder.resolve("named.avm"), named().toBytes());
    contains(
        refusal("age DOUBLE, sex DOUBLE", "label STRING", named),
        "the model's columns are [size, age, town, day]; INPUT lacks [size, town, day] and has"
            + " [sex], which the model does not know: declare the model's columns by these names");
  }

  @Test
  void refusesOptionsBeforeAnythingRuns() {
    contains(refusal("a DOUBLE, b DOUBLE", "v INT", folder), "OUTPUT: a model cannot fill v INT");
    contains(
        refusal("a DOUBLE, b DOUBLE", "v DOUBLE", Path.of("m.avm', 'topic'='t")),
        "needs either 'path' (a file or folder) or 'topic'");
    contains(
        refusal("a DOUBLE, b DOUBLE", "v DOUBLE", Path.of("m.avm', 'paht'='t")), "Unsupported");
  }
}
