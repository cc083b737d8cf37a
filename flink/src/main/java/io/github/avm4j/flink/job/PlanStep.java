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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first step of a job of mode {@code cells}, before anything is submitted: reads the first rows
 * of the input, joined with their labels if those come apart, makes the plan of them, and writes it
 * as one file, which appears whole or not at all. A job that finds the file does not read the rows
 * again. Killed before the file is there, nothing has happened; killed after, the next start
 * continues from it.
 *
 * <p>A plan is renewed in the same way: from the newest rows that the job has read, as one file in
 * place of the former one, which stays beside it under its fingerprint.
 */
final class PlanStep {
  private static final long LARGEST = 1L << 31;

  /** A renewal looks for the rows of recent labels among so many times as many rows. */
  private static final int LABELS_BEHIND = 16;

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

  /** The same without a renewal of the plan. */
  static Launch add(StreamConfig config, Launch launch, PrintStream out)
      throws IOException, InterruptedException {
    return add(config, launch, false, out);
  }

  /**
   * The launch with what a job of mode {@code cells} begins with; unchanged for other modes.
   *
   * @param renew whether to renew the plan that is there
   */
  static Launch add(StreamConfig config, Launch launch, boolean renew, PrintStream out)
      throws IOException, InterruptedException {
    CellsConfig cells = config.cells();
    if (renew && (cells == null || launch.savepoint() == null)) {
      throw new ConfigException("--renew-plan goes with --from SAVEPOINT and mode: cells");
    }
    if (cells == null) {
      return launch;
    }
    Path file = cells.plan();
    if (Files.exists(file)) {
      CellStart start = read(file, cells, out);
      if (launch.savepoint() == null && start.renewedCells() > 0) {
        out.println(
            "it was renewed at a savepoint: without one, new cells begin with rows that are read"
                + " again. Delete it for a plan of the first rows");
      }
      return launch.with(renew ? new PlanStep(config, cells, out).renew(start, file) : start);
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

  private CellStart renew(CellStart former, Path file) throws IOException {
    String topic = config.input().topic();
    if (topic == null) {
      throw new ConfigException(
          "--renew-plan needs input.topic: how far files are read is unknown");
    }
    takeRecent(topic);
    if (rows.size() < 2 * cells.count()) {
      throw new IOException(
          "topic %s has %d rows that the job has learned from; a renewal takes %d, and at least %d"
                  .formatted(topic, rows.size(), cells.planRows(), 2 * cells.count())
              + (config.labels() == null
                  ? ""
                  : ". It takes rows of the newest labels: raise cells.plan-rows if labels come"
                      + " late"));
    }
    CellStart start;
    try {
      start = former.renewed(rows, cells.count());
    } catch (IllegalArgumentException e) {
      throw new IOException("the plan cannot be renewed with these rows: " + e.getMessage(), e);
    }
    if (start.fingerprint() == former.fingerprint()) {
      out.println("the newest " + rows.size() + " rows are spread over its cells: it stays");
      return start;
    }
    String before = file.getFileName() + "." + Long.toHexString(former.fingerprint());
    DurableFile.write(former.toBytes(), file.resolveSibling(before));
    DurableFile.write(start.toBytes(), file);
    out.println(
        "renewed it with the newest %d rows: %d of %d cells have a new centre; the former plan is %s"
            .formatted(rows.size(), start.renewedCells(), start.plan().size(), before));
    return start;
  }

  /** The newest rows that the job has read; with labels apart, those of the newest labels. */
  private void takeRecent(String topic) throws IOException {
    InputConfig labels = config.labels();
    if (labels == null || labels.topic() == null) {
      recent(topic, cells.planRows()).forEach(this::take);
      return;
    }
    RecordFormat labelFormat = labels.format(config.start(), true);
    Map<String, Example> newest = new HashMap<>();
    for (RawRecord record : recent(labels.topic(), cells.planRows())) {
      Example label = parsed(record, labelFormat);
      if (label != null) {
        newest.put(label.id(), label);
      }
    }
    for (RawRecord record : recent(topic, LABELS_BEHIND * cells.planRows())) {
      Example row = parsed(record, format);
      Example label = row == null ? null : newest.remove(row.id());
      if (row != null && label != null) {
        rows.add(row.withLabel(label.y()));
      }
    }
  }

  private List<RawRecord> recent(String topic, int most) throws IOException {
    return RecentRecords.of(config.kafka(), config.name(), topic, most);
  }

  private void take(RawRecord record) {
    Example row = parsed(record, format);
    if (row != null) {
      rows.add(row);
    }
  }

  private @Nullable Example parsed(RawRecord record, RecordFormat by) {
    Example example = by.parse(record).example();
    bad += example == null ? 1 : 0;
    return example;
  }
}
