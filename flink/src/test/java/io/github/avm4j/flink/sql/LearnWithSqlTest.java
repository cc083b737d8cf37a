// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.pipeline.RowLearner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table function that learns, beside a plain loop. */
class LearnWithSqlTest {
  private static final int ROWS = 900;
  private static final TypeInformation<org.apache.flink.types.Row> TYPE =
      Types.ROW_NAMED(
          new String[] {"k", "id", "a", "b", "y", "c"},
          Types.STRING,
          Types.LONG,
          Types.DOUBLE,
          Types.STRING,
          Types.DOUBLE,
          Types.STRING);
  private static final String LEARN =
      """
      SELECT * FROM avm_learn(
        input => TABLE events %s, %s, features => DESCRIPTOR(a, b))
      """;
  private static final AtomicBoolean FAILED = new AtomicBoolean();

  /** Event i, a function of i; every eleventh has no label, every thirteenth no a. */
  private static org.apache.flink.types.Row event(long i) {
    SplittableRandom random = new SplittableRandom(3 * i);
    double a = random.nextDouble();
    String b = "b" + random.nextInt(5);
    double y = Math.sin(5 * a) + (b.equals("b3") ? 1 : 0) + 0.1 * random.nextDouble();
    return org.apache.flink.types.Row.of(
        "k" + i % 3,
        i,
        i % 13 == 0 ? null : a,
        b,
        i % 11 == 0 ? null : y,
        i % 11 == 0 ? null : y > 0.8 ? "high" : "low");
  }

  private static void register(SqlRun sql) {
    sql.run(
        "CREATE TEMPORARY SYSTEM FUNCTION avm_learn AS '%s'".formatted(AvmLearn.class.getName()));
  }

  private static Row cells(org.apache.flink.types.Row event, boolean classes) {
    Row row = new Row();
    row.reset(2);
    if (event.getField(2) != null) {
      row.setNumber(0, (Double) event.getField(2));
    }
    row.setText(1, (String) event.getField(3));
    if (event.getField(4) != null && classes) {
      row.setLabel((String) event.getField(5));
    } else if (event.getField(4) != null) {
      row.setLabel((Double) event.getField(4));
    }
    return row;
  }

  /** What a plain loop says of the events of a key (all events for null): one text for each. */
  private static List<String> loop(String key, boolean classes) {
    Schema schema = Schema.builder().number("a").category("b").build();
    RowLearner learner =
        new RowLearner(schema, "", (classes ? Avm.classifier() : Avm.regressor()).build());
    RowEncoder encoder = learner.encoder(List.of("a", "b"));
    RowEncoder reader = learner.reader(List.of("a", "b"));
    List<String> all = new ArrayList<>();
    double loss = 0;
    long learned = 0;
    for (long i = 0; i < ROWS; i++) {
      org.apache.flink.types.Row event = event(i);
      if (key != null && !key.equals(event.getField(0))) {
        continue;
      }
      Row row = cells(event, classes);
      double p;
      if (row.labelKind() == Row.Kind.MISSING) {
        p = learned == 0 ? Double.NaN : learner.learner().predict(reader.encode(row));
      } else {
        double y = learner.target(row);
        p = learner.learner().predictThenLearn(encoder.encode(row), y, 1);
        double difference = (Double.isNaN(p) ? 0 : p) - y;
        loss += classes ? (p == y ? 0 : 1) : difference * difference;
        learned++;
      }
      double mean = loss / learned;
      Object named = classes ? learner.names().nameOf(p) : (Object) p;
      all.add(
          i
              + " "
              + (Double.isNaN(p) ? null : named)
              + " "
              + (learned == 0 ? null : classes ? mean : Math.sqrt(mean))
              + " "
              + learned);
    }
    return all;
  }

  private static String text(org.apache.flink.types.Row row) {
    return row.getField("id")
        + " "
        + row.getField("prediction")
        + " "
        + row.getField("error")
        + " "
        + row.getField("learned");
  }

  private static List<String> of(String key, List<org.apache.flink.types.Row> rows) {
    return rows.stream()
        .filter(row -> key == null || key.equals(row.getField("k")))
        .map(LearnWithSqlTest::text)
        .toList();
  }

  private static void fill(SqlRun sql) {
    List<org.apache.flink.types.Row> events = new ArrayList<>();
    for (long i = 0; i < ROWS; i++) {
      events.add(event(i));
    }
    sql.table("events", TYPE, events);
    register(sql);
  }

  @Test
  void learnsAsAPlainLoopDoesForEachPartition() throws Exception {
    SqlRun sql = new SqlRun("parallelism.default", "2");
    fill(sql);
    List<org.apache.flink.types.Row> rows =
        sql.rows(LEARN.formatted("PARTITION BY k", "target => DESCRIPTOR(y)"));
    assertEquals(ROWS, rows.size());
    for (String key : List.of("k0", "k1", "k2")) {
      assertEquals(loop(key, false), of(key, rows));
    }
  }

  @Test
  void learnsClassesOfAWholeTable() throws Exception {
    SqlRun sql = new SqlRun("parallelism.default", "2");
    fill(sql);
    List<org.apache.flink.types.Row> rows = sql.rows(LEARN.formatted("", "label => DESCRIPTOR(c)"));
    assertEquals(loop(null, true), of(null, rows));
    double error = (Double) Objects.requireNonNull(rows.get(ROWS - 1).getField("error"));
    assertTrue(error > 0 && error < 0.2, "error " + error);
  }

  /** Throws once, after a checkpoint: all tasks run then. */
  private static final class FailOnce
      implements MapFunction<Long, org.apache.flink.types.Row>, CheckpointListener {
    private static final long serialVersionUID = 1;
    private static final int SOME = 200;

    private transient boolean saved;

    @Override
    public void notifyCheckpointComplete(long id) {
      saved = true;
    }

    @Override
    public org.apache.flink.types.Row map(Long i) throws Exception {
      if (i > SOME && !FAILED.get()) {
        Thread.sleep(20);
        if (saved && FAILED.compareAndSet(false, true)) {
          throw new IllegalStateException("a planned failure");
        }
      }
      return event(i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void goesOnFromACheckpointAsIfNothingHadHappened(String backend) throws Exception {
    FAILED.set(false);
    SqlRun sql =
        new SqlRun(
            "parallelism.default",
            "1",
            "state.backend.type",
            backend,
            "restart-strategy.type",
            "fixed-delay",
            "restart-strategy.fixed-delay.delay",
            "10 ms",
            "execution.checkpointing.interval",
            "50 ms");
    sql.tables()
        .createTemporaryView(
            "events",
            sql.tables()
                .fromDataStream(
                    sql.env().fromSequence(0, ROWS - 1).map(new FailOnce()).returns(TYPE)));
    register(sql);
    List<org.apache.flink.types.Row> rows =
        sql.rows(LEARN.formatted("PARTITION BY k", "target => DESCRIPTOR(y)"));
    assertTrue(FAILED.get());
    for (String key : List.of("k0", "k1", "k2")) {
      assertEquals(loop(key, false), of(key, rows));
    }
  }

  private static void refuses(String call, String message) {
    SqlRun sql = new SqlRun();
    fill(sql);
    Exception refused = assertThrows(Exception.class, () -> sql.rows("SELECT * FROM " + call));
    String all = SqlRun.messages(refused);
    assertTrue(all.contains(message), all);
  }

  @Test
  void saysWhatToWrite() {
    String table = "avm_learn(input => TABLE events, ";
    refuses(table + "label => DESCRIPTOR(z))", "no column z; it has [k, id, a, b, y, c]");
    refuses(table + "label => DESCRIPTOR(y))", "the label y is a DOUBLE; CAST it to STRING");
    refuses(table + "target => DESCRIPTOR(c))", "the target c is a STRING; CAST it to DOUBLE");
    refuses(
        table + "features => DESCRIPTOR(a))", "either label => DESCRIPTOR(y), to learn classes");
    refuses(
        table + "label => DESCRIPTOR(c), target => DESCRIPTOR(y))",
        "either label => DESCRIPTOR(y), to learn classes");
    refuses(
        table + "target => DESCRIPTOR(y), features => DESCRIPTOR(a, y))",
        "y is learned and cannot be a feature too");
  }
}
