// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.flink.LocalCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** SQL with Flink's planner, run in this process. */
final class SqlRun {
  private final StreamExecutionEnvironment env;
  private final StreamTableEnvironment tables;

  SqlRun(String... options) {
    env = LocalCluster.environment(options);
    tables = StreamTableEnvironment.create(env);
  }

  /** Rows in order, as a table. */
  void table(String name, TypeInformation<Row> type, List<Row> rows) {
    tables.createTemporaryView(
        name, tables.fromDataStream(env.fromData(rows, type).setParallelism(1)));
  }

  StreamExecutionEnvironment env() {
    return env;
  }

  StreamTableEnvironment tables() {
    return tables;
  }

  /** Runs statements that give no rows. */
  void run(String... statements) {
    for (String statement : statements) {
      tables.executeSql(statement);
    }
  }

  /** All rows of a query. */
  List<Row> rows(String query) {
    List<Row> all = new ArrayList<>();
    try (Rows rows = stream(query)) {
      rows.rows.forEachRemaining(all::add);
    }
    return all;
  }

  /** The rows of a query as they come. */
  Rows stream(String query) {
    return new Rows(tables.executeSql(query).collect());
  }

  /** Rows of a query that runs until this is closed. */
  static final class Rows implements AutoCloseable {
    private final CloseableIterator<Row> rows;

    private Rows(CloseableIterator<Row> rows) {
      this.rows = rows;
    }

    /** The next; waits for it. */
    Row next() {
      return rows.next();
    }

    @Override
    public void close() {
      try {
        rows.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The messages of an exception and its causes. */
  static String messages(Throwable thrown) {
    StringBuilder all = new StringBuilder();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      all.append(t.getMessage()).append('\n');
    }
    return all.toString();
  }
}
