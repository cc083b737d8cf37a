// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The first step of a job of mode {@code cells}, before anything is submitted: reads the first rows
 * of the input, joined with their labels if those come apart, makes the plan of them, and writes it
 * as one file, which appears whole or not at all. A job that finds the file does not read the rows
 * again. Killed before the file is there, nothing has happened; killed after, the next start
 * continues from it.
 */
final class PlanStep {
  private static final long LARGEST = 1L << 31;

  private final StreamConfig config;
  private final CellsConfig cells;
  private final PrintStream out;
  private final RecordFormat format;
  private final List<Example> rows = new ArrayList<>();
  private int bad;

  private PlanStep(StreamConfig config, CellsConfig cells, PrintStream out) {
    this.config = config;
    this.cells = cells;
    this.out = out;
    this.format = config.input().format(config.start(), config.labels() == null);
  }

  /** The launch with what a job of mode {@code cells} begins with; unchanged for other modes. */
  static Launch add(StreamConfig config, Launch launch, PrintStream out)
      throws IOException, InterruptedException {
    CellsConfig cells = config.cells();
    if (cells == null) {
      return launch;
    }
    Path file = cells.plan();
    if (Files.exists(file)) {
      return launch.with(read(file, cells, out));
    }
    if (launch.savepoint() != null) {
      throw new ConfigException(
          "the plan " + file + " is not there: a savepoint's cells mean nothing without it");
    }
    return launch.with(new PlanStep(config, cells, out).make(file));
  }

  private static CellStart read(Path file, CellsConfig cells, PrintStream out) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new IOException(file + " is larger than 2 GiB: not a plan");
    }
    try {
      CellStart start = CellStart.read(Files.readAllBytes(file));
      int count = start.plan().size();
      out.println("plan " + file + ": " + count + " cells of " + start.rows() + " rows");
      if (count > cells.count()) {
        throw new ConfigException(
            "the plan " + file + " has " + count + " cells, cells.count is " + cells.count());
      }
      return start;
    } catch (IOException | InvalidModelException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private CellStart make(Path file) throws IOException, InterruptedException {
    out.println("reads " + cells.planRows() + " rows for the plan " + file);
    CellStart start;
    InputConfig labels = config.labels();
    try {
      start = labels == null ? ofFirstRows() : ofJoinedRows(labels);
    } catch (IllegalArgumentException e) {
      throw new IOException("no plan can be made of these rows: " + e.getMessage(), e);
    }
    DurableFile.write(start.toBytes(), file);
    out.println(
        "wrote it: "
            + start.plan().size()
            + " cells"
            + (bad > 0 ? "; passed over " + bad + " bad records" : ""));
    return start;
  }

  private CellStart ofFirstRows() throws IOException {
    try (PlanInput input = new PlanInput(config.input(), config.kafka(), out)) {
      while (rows.size() < cells.planRows()) {
        take(input.next());
      }
      return CellStart.make(config.start(), rows, cells.count(), input.ends());
    }
  }

  private CellStart ofJoinedRows(InputConfig labels) throws IOException {
    try (PlanJoin join = new PlanJoin(config, labels, cells.planRows(), out)) {
      rows.addAll(join.read());
      return CellStart.makeJoined(config.start(), rows, cells.count(), join.used());
    }
  }

  private void take(RawRecord record) {
    Example row = format.parse(record).example();
    if (row == null) {
      bad++;
    } else {
      rows.add(row);
    }
  }
}
