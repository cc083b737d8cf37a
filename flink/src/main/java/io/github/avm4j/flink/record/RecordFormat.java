// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.RecordParser;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.ClassNames;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes an example of each record as a source reads it, where its event time is needed first: bytes
 * to a row, the row to features and label. A record that is not an example becomes a bad record
 * with the reason, and nothing is dropped. A cell that its column cannot use (text in a numeric
 * column, an unknown category) is taken as missing and noted. An event time too far ahead of this
 * machine's clock makes a bad record: one such record would end the wait for all labels before it.
 *
 * <p>Columns and classes are those of a model's, learner's or detector's file, fixed for the life
 * of the job: all learners must agree on features and classes.
 */
public final class RecordFormat implements Serializable {
  private static final long serialVersionUID = 1;

  /** The classes of feedback: whether a row is anomalous. */
  private static final List<String> ANOMALOUS = List.of("false", "true");

  private static final int LONGEST_NAME = 1 << 16;

  private final TextFormat format;
  private final byte[] start;
  private final boolean labelled;
  private final long ahead;
  private final boolean marks;

  private transient @Nullable Parser parser;

  /**
   * A format of records.
   *
   * @param format how records are written
   * @param start file of a model, learner or detector of rows: its schema and class names are used
   * @param labelled whether an example must have a label; false where it comes separately
   * @param ahead how far an event time may be ahead of the clock
   */
  public RecordFormat(TextFormat format, byte[] start, boolean labelled, Duration ahead) {
    this(format, start, labelled, ahead, false);
  }

  private RecordFormat(
      TextFormat format, byte[] start, boolean labelled, Duration ahead, boolean marks) {
    if (ahead.isNegative()) {
      throw new IllegalArgumentException("ahead must be >= 0, was " + ahead);
    }
    this.format = format;
    this.start = start.clone();
    this.labelled = labelled;
    this.ahead = ahead.toMillis();
    this.marks = marks;
  }

  /**
   * {@return the same format, whose examples have NaN where a number or date is missing, for
   * learners that fill it with means of their own; otherwise it is filled with those of the start}
   */
  public RecordFormat marking() {
    return new RecordFormat(format, start, labelled, Duration.ofMillis(ahead), true);
  }

  /**
   * {@return the example that a record is, or the bad record}
   *
   * @param record the record
   */
  public Parsed parse(RawRecord record) {
    Parser mine = parser;
    if (mine == null) {
      mine = new Parser(format, start, labelled, marks);
      parser = mine;
    }
    try {
      Example example = mine.parse(record);
      requireNotAhead(example.time(), System.currentTimeMillis());
      return new Parsed(example, null, mine.unusable());
    } catch (AvmException e) {
      return bad(record, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      parser = null; // it may have stopped anywhere
      return bad(record, BadRecord.reason(e));
    }
  }

  private static Parsed bad(RawRecord record, String reason) {
    return new Parsed(null, new BadRecord(record, reason), List.of());
  }

  private void requireNotAhead(long time, long now) {
    if (time > now && time - now > ahead) {
      throw new IllegalArgumentException(
          "the event time "
              + time
              + " is "
              + Duration.ofMillis(time - now)
              + " ahead of the clock, more than "
              + Duration.ofMillis(ahead)
              + "; correct it, or raise ahead");
    }
  }

  /** The parser that a worker makes of the format. */
  private static final class Parser {
    private final RecordParser records;
    private final RowEncoder encoder;
    private final ClassNames names;

    /** Of the labels; null if they are not looked at. */
    private final @Nullable Task task;

    private final boolean labelled;
    private final int longest;
    private final int keyCell;
    private final int idCell;
    private final int timeCell;
    private final Row row = new Row();

    /** The labels of detectors are feedback on rows; the rows that are judged have none. */
    Parser(TextFormat format, byte[] start, boolean labelled, boolean marks) {
      this.labelled = labelled;
      longest = format.longest();
      Schema schema;
      if (RowDetector.isDetector(start)) {
        schema = RowDetector.read(start).schema();
        names = new ClassNames(ANOMALOUS);
        task = labelled ? Task.CLASSIFICATION : null;
      } else {
        RowModel rows = RowModel.read(start);
        schema = rows.schema();
        names = new ClassNames(rows.classNames());
        task = rows.model().task();
      }
      records =
          RecordParser.of(format.options().withMissing(schema.cells().missing()), format.columns());
      List<String> columns = records.columns();
      encoder = marks ? schema.marker(columns) : schema.encoder(columns);
      keyCell = cell(format.key());
      idCell = cell(format.id());
      timeCell = cell(format.time());
    }

    private int cell(@Nullable String column) {
      return column == null ? -1 : records.columns().indexOf(column);
    }

    Example parse(RawRecord record) {
      byte[] text = record.value();
      if (text.length > longest) {
        throw new IllegalArgumentException(
            "the record has " + text.length + " bytes, more than " + longest + "; raise longest");
      }
      records.parse(text, row);
      FeatureVector x = encoder.encode(row).copy();
      String own = record.keyText();
      return new Example(
          name(idCell, own, "id"),
          name(keyCell, own, "key"),
          x,
          target(),
          row.weight(),
          timeCell < 0 ? record.time() : time(),
          record);
    }

    /** The columns of the last row's unusable cells. */
    List<Integer> unusable() {
      int count = encoder.unusableCount();
      if (count == 0) {
        return List.of();
      }
      List<Integer> columns = new ArrayList<>();
      for (int k = 0; k < count; k++) {
        columns.add(encoder.unusableColumn(k));
      }
      return columns;
    }

    private String name(int cell, String own, String what) {
      if (cell >= 0 && row.kind(cell) == Row.Kind.MISSING) {
        throw new IllegalArgumentException("the record has no " + what);
      }
      String name = cell < 0 ? own : row.text(cell);
      if (name.length() > LONGEST_NAME) {
        throw new IllegalArgumentException(
            what + " has " + name.length() + " characters, more than 65536");
      }
      return name;
    }

    private long time() {
      if (row.kind(timeCell) != Row.Kind.NUMBER) {
        throw new IllegalArgumentException("the event time must be milliseconds since 1970");
      }
      return (long) row.number(timeCell);
    }

    private double target() {
      if (task == null) {
        return Double.NaN;
      }
      if (row.labelKind() == Row.Kind.MISSING) {
        if (labelled) {
          throw new IllegalArgumentException("the record has no label");
        }
        return Double.NaN;
      }
      if (task == Task.CLASSIFICATION) {
        int label = names.indexOf(row.labelText());
        if (label < 0) {
          throw new IllegalArgumentException(
              "the label '" + row.labelText() + "' is not among the classes " + names.toList());
        }
        return label;
      }
      if (row.labelKind() == Row.Kind.TEXT) {
        throw new IllegalArgumentException("the label '" + row.labelText() + "' is not a number");
      }
      return row.labelNumber();
    }
  }
}
