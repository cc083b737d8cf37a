// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.pipeline.ClassNames;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Parses text records into examples; a record that is not an example goes to {@link #BAD} with the
 * reason, and nothing is dropped. A cell that its column cannot use (text in a numeric column, an
 * unknown category) is taken as missing and counted. An event time too far ahead of this machine's
 * clock makes a bad record: one such record would end the wait for all labels before it. Metrics:
 * {@code badRecords}, {@code unusableCells}, and the latter for each column under {@code
 * column.NAME}.
 *
 * <p>Columns and classes are those of a model's, learner's or detector's file, fixed for the life
 * of the job: all learners must agree on features and classes.
 */
public final class ParseRecords extends ProcessFunction<RawRecord, Example> {
  /** Records that are no examples. */
  public static final OutputTag<BadRecord> BAD =
      new OutputTag<>("bad-records", Formats.BAD_RECORD.type());

  private static final long serialVersionUID = 1;

  /** The classes of feedback: whether a row is anomalous. */
  private static final List<String> ANOMALOUS = List.of("false", "true");

  private static final int LONGEST_NAME = 1 << 16;

  private final TextFormat format;
  private final byte[] start;
  private final boolean labelled;
  private final long ahead;

  private transient @Nullable Parser parser;
  private transient @Nullable Counter bad;

  /**
   * A parser of records.
   *
   * @param format how records are written
   * @param start file of a model, learner or detector of rows: its schema and class names are used
   * @param labelled whether an example must have a label; false where it comes separately
   * @param ahead how far an event time may be ahead of the clock
   */
  public ParseRecords(TextFormat format, byte[] start, boolean labelled, Duration ahead) {
    if (ahead.isNegative()) {
      throw new IllegalArgumentException("ahead must be >= 0, was " + ahead);
    }
    this.format = format;
    this.start = start.clone();
    this.labelled = labelled;
    this.ahead = ahead.toMillis();
  }

  @Override
  public void open(OpenContext context) throws Exception {
    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    bad = metrics.counter("badRecords");
    parser = parser(metrics);
  }

  @Override
  public void processElement(RawRecord record, Context context, Collector<Example> out) {
    if (parser == null || bad == null) {
      throw new IllegalStateException("not open");
    }
    Example example;
    try {
      example = parser.parse(record);
      requireNotAhead(example.time(), context.timerService().currentProcessingTime());
    } catch (IOException | IllegalArgumentException e) {
      bad.inc();
      context.output(BAD, new BadRecord(record, String.valueOf(e.getMessage())));
      return;
    }
    out.collect(example);
  }

  /**
   * Parses a record outside of a job.
   *
   * @param record the record
   * @return the example
   * @throws IOException if it is none
   */
  public Example parse(RawRecord record) throws IOException {
    Parser mine = parser;
    if (mine == null) {
      mine = parser(new UnregisteredMetricsGroup());
      parser = mine;
    }
    Example example = mine.parse(record);
    requireNotAhead(example.time(), System.currentTimeMillis());
    return example;
  }

  /** The labels of detectors are feedback on rows; the rows that are judged have none. */
  private Parser parser(MetricGroup metrics) throws IOException {
    if (RowDetector.isDetector(start)) {
      Schema schema = RowDetector.read(start).schema();
      return new Parser(this, schema, ANOMALOUS, labelled ? Task.CLASSIFICATION : null, metrics);
    }
    RowModel rows = RowModel.read(start);
    return new Parser(this, rows.schema(), rows.classNames(), rows.model().task(), metrics);
  }

  /** The event time in a cell. */
  static long time(Row row, int cell) throws IOException {
    if (row.kind(cell) != Row.Kind.NUMBER || !Double.isFinite(row.number(cell))) {
      throw new IOException("the event time must be milliseconds since 1970");
    }
    return (long) row.number(cell);
  }

  private void requireNotAhead(long time, long now) throws IOException {
    if (time > now && time - now > ahead) {
      throw new IOException(
          "the event time "
              + time
              + " is "
              + Duration.ofMillis(time - now)
              + " ahead of the clock, more than "
              + Duration.ofMillis(ahead)
              + "; correct it, or raise ahead");
    }
  }

  /** The parser that a worker makes of the function's arguments. */
  private static final class Parser {
    private final RecordReader reader;
    private final RowEncoder encoder;
    private final ClassNames names;
    private final @Nullable Task task;
    private final boolean labelled;
    private final UnusableCells unusable;
    private final int keyCell;
    private final int idCell;
    private final int timeCell;
    private final Row row = new Row();

    /**
     * With the settings of the function.
     *
     * @param task of the labels; null if they are not looked at
     */
    Parser(
        ParseRecords of,
        Schema schema,
        List<String> classes,
        @Nullable Task task,
        MetricGroup metrics)
        throws IOException {
      TextFormat format = of.format;
      reader = new RecordReader(format);
      encoder = schema.encoder(reader.columns());
      names = new ClassNames(classes);
      this.task = task;
      this.labelled = of.labelled;
      this.unusable = new UnusableCells(schema, metrics);
      keyCell = cell(format.key());
      idCell = cell(format.id());
      timeCell = cell(format.time());
    }

    private int cell(@Nullable String column) throws IOException {
      return column == null ? -1 : reader.columns().indexOf(column);
    }

    Example parse(RawRecord record) throws IOException {
      reader.read(record.value(), row);
      FeatureVector x = encoder.encode(row).copy();
      String own = record.keyText();
      Example example =
          new Example(
              name(idCell, own, "id"),
              name(keyCell, own, "key"),
              x,
              target(),
              row.weight(),
              time(record),
              record);
      unusable.count(encoder);
      return example;
    }

    private String name(int cell, String own, String what) throws IOException {
      if (cell >= 0 && row.kind(cell) == Row.Kind.MISSING) {
        throw new IOException("the record has no " + what);
      }
      String name = cell < 0 ? own : row.text(cell);
      if (name.length() > LONGEST_NAME) {
        throw new IOException(what + " has " + name.length() + " characters, more than 65536");
      }
      return name;
    }

    private long time(RawRecord record) throws IOException {
      return timeCell < 0 ? record.time() : ParseRecords.time(row, timeCell);
    }

    private double target() throws IOException {
      if (task == null) {
        return Double.NaN;
      }
      if (row.labelKind() == Row.Kind.MISSING) {
        if (labelled) {
          throw new IOException("the record has no label");
        }
        return Double.NaN;
      }
      if (task == Task.CLASSIFICATION) {
        int label = names.indexOf(row.labelText());
        if (label < 0) {
          throw new IOException(
              "the label '" + row.labelText() + "' is not among the classes " + names.toList());
        }
        return label;
      }
      if (row.labelKind() == Row.Kind.TEXT) {
        throw new IOException("the label '" + row.labelText() + "' is not a number");
      }
      return row.labelNumber();
    }
  }
}
