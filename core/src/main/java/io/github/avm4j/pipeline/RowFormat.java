// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.DateForm;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.Standard;
import io.github.avm4j.feature.TextHash;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.Relabelling;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The SCHEMA section: columns, the target's name and the names of the classes; COLUMNS, the details
 * of columns, absent if all are of the first format; and CELL_RULES, how cells are read, absent if
 * by the default rules.
 */
final class RowFormat {
  private static final List<Column.Kind> KINDS =
      List.of(
          Column.Kind.NUMBER,
          Column.Kind.CATEGORY,
          Column.Kind.HASHED,
          Column.Kind.DATE,
          Column.Kind.DROPPED);
  private static final List<TextHash> HASHES = List.of(TextHash.FNV, TextHash.MURMUR3);
  private static final List<DateForm> DATES =
      List.of(DateForm.ISO, DateForm.YEAR_FIRST, DateForm.DAY_FIRST, DateForm.MONTH_FIRST);
  private static final int MOST_BUCKETS = 1 << 20;

  /** Features of a date, its most. */
  private static final int MOST_MEANS = 6;

  private RowFormat() {}

  static byte[] write(RowModel model) {
    Map<Integer, byte[]> payloads = ModelFormat.payloads(model.model());
    payloads.put(Sections.SCHEMA, writeSchema(model.schema(), model.target(), model.classNames()));
    if (hasDetails(model.schema())) {
      payloads.put(Sections.COLUMNS, writeDetails(model.schema()));
    }
    if (hasRules(model.schema())) {
      payloads.put(Sections.CELL_RULES, writeRules(model.schema().cells()));
    }
    return Sections.write(payloads);
  }

  static byte[] write(RowLearner rows) {
    byte[] section = writeSchema(rows.schema(), rows.targetName(), rows.names().toList());
    return append(rows.learner().toBytes(), section, rows.schema());
  }

  static byte[] write(RowDetector rows) {
    byte[] section = writeSchema(rows.schema(), "", List.of());
    return append(rows.detector().toBytes(), section, rows.schema());
  }

  private static byte[] append(byte[] file, byte[] section, Schema schema) {
    byte[] longer = Sections.append(file, Sections.SCHEMA, section);
    if (hasDetails(schema)) {
      longer = Sections.append(longer, Sections.COLUMNS, writeDetails(schema));
    }
    return hasRules(schema)
        ? Sections.append(longer, Sections.CELL_RULES, writeRules(schema.cells()))
        : longer;
  }

  private static boolean hasRules(Schema schema) {
    return !schema.cells().equals(CellReader.DEFAULT);
  }

  private static byte[] writeRules(CellReader cells) {
    ByteWriter out = new ByteWriter();
    out.u8(cells.decimalComma() ? 1 : 0);
    writeTexts(out, cells.missing());
    writeTexts(out, cells.verbatim());
    return out.toBytes();
  }

  private static CellReader readRules(@Nullable ByteReader in) throws InvalidModelException {
    if (in == null) {
      return CellReader.DEFAULT;
    }
    boolean comma = in.code("decimal comma", 2) == 1;
    List<String> missing = readTexts(in, "words for missing values");
    List<String> verbatim = readTexts(in, "columns as written");
    in.end();
    return new CellReader(missing, comma, new HashSet<>(verbatim));
  }

  private static boolean hasDetails(Schema schema) {
    return !schema.columns().stream().allMatch(c -> c.details().equals(Column.Details.FIRST));
  }

  private static byte[] writeDetails(Schema schema) {
    ByteWriter out = new ByteWriter();
    out.i32(schema.columns().size());
    for (Column column : schema.columns()) {
      Column.Details details = column.details();
      out.i32(details.room());
      out.u8(HASHES.indexOf(details.hash()));
      out.u8(DATES.indexOf(details.dates()));
      out.u8(details.yearly() ? 1 : 0);
      out.f64(details.standard().shift());
      out.f64(details.standard().scale());
      out.u8(details.standard().logarithm() ? 1 : 0);
      out.f64(details.standard().limit());
      out.f64(details.unit());
    }
    return out.toBytes();
  }

  private static byte[] writeSchema(Schema schema, String target, List<String> names) {
    ByteWriter out = new ByteWriter();
    out.text(target);
    out.i32(schema.columns().size());
    for (Column column : schema.columns()) {
      out.text(column.name());
      out.u8(KINDS.indexOf(column.kind()));
      out.i64(column.fill().count());
      out.u8(column.fill().means().size());
      column.fill().means().forEach(out::f64);
      out.i32(column.buckets());
      writeTexts(out, column.categories());
    }
    writeTexts(out, names);
    return out.toBytes();
  }

  private static void writeTexts(ByteWriter out, List<String> texts) {
    out.i32(texts.size());
    texts.forEach(out::text);
  }

  static RowModel readModel(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    Model model = ModelFormat.read(sections);
    ByteReader in = sections.get(Sections.SCHEMA);
    if (in == null) {
      return plain(model);
    }
    try {
      String target = in.text();
      Schema schema = readSchema(in, sections);
      List<String> names = readTexts(in, "class names");
      in.end();
      if (new HashSet<>(names).size() < names.size()) {
        throw new InvalidModelException("two classes have one name");
      }
      return new RowModel(schema, target, names, model);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new InvalidModelException("the schema is not valid: " + e.getMessage(), e);
    }
  }

  static RowDetector readDetector(byte[] file) throws InvalidModelException {
    Detector detector = Detector.fromBytes(file);
    Map<Integer, ByteReader> sections = Sections.read(file);
    ByteReader in = sections.get(Sections.SCHEMA);
    if (in == null) {
      return new RowDetector(Schema.numbered(), detector);
    }
    try {
      String target = in.text();
      Schema schema = readSchema(in, sections);
      List<String> names = readTexts(in, "class names");
      in.end();
      if (!target.isEmpty() || !names.isEmpty()) {
        throw new InvalidModelException("a detector has no target and no classes");
      }
      return new RowDetector(schema, detector);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new InvalidModelException("the schema is not valid: " + e.getMessage(), e);
    }
  }

  /** A model that was learned from vectors: its labels, as numbers are written, are its names. */
  private static RowModel plain(Model model) throws InvalidModelException {
    List<String> names = new ArrayList<>();
    for (int j = 0; j < model.classes(); j++) {
      names.add(Row.canonical(model.label(j)));
    }
    try {
      return new RowModel(Schema.numbered(), "", names, model.relabelled());
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the labels are not valid: " + e.getMessage(), e);
    }
  }

  static RowLearner readLearner(byte[] file) throws InvalidModelException {
    RowModel model = readModel(file);
    // A learner of vectors has labels of its own; names are found by index.
    boolean named = Sections.read(file).containsKey(Sections.SCHEMA);
    Learner learner = named ? Learner.fromBytes(file) : Relabelling.read(file);
    return new RowLearner(
        model.schema(), model.target(), new ClassNames(model.classNames()), learner);
  }

  private static Schema readSchema(ByteReader in, Map<Integer, ByteReader> sections)
      throws InvalidModelException {
    ByteReader more = sections.get(Sections.COLUMNS);
    int count = in.count("columns", 20);
    if (more != null && more.count("columns", 40) != count) {
      throw new InvalidModelException("the details are not of " + count + " columns");
    }
    List<Column> columns = new ArrayList<>(count);
    for (int c = 0; c < count; c++) {
      String name = in.text();
      int kind = in.code("column kind", KINDS.size());
      Fill fill = readFill(in);
      int buckets = in.i32();
      if (buckets > MOST_BUCKETS) {
        throw new InvalidModelException("column " + name + " has " + buckets + " buckets");
      }
      List<String> categories = readTexts(in, "categories");
      Column.Details details = more == null ? Column.Details.FIRST : readDetails(more, name);
      if (more != null && new HashSet<>(categories).size() < categories.size()) {
        throw new InvalidModelException("column " + name + " has a category twice");
      }
      columns.add(new Column(name, KINDS.get(kind), fill, categories, buckets, details));
    }
    if (more != null) {
      more.end();
    }
    return new Schema(columns, readRules(sections.get(Sections.CELL_RULES)));
  }

  private static Fill readFill(ByteReader in) throws InvalidModelException {
    long count = in.i64();
    int features = in.code("means of a fill", MOST_MEANS + 1);
    List<Double> means = new ArrayList<>();
    for (int k = 0; k < features; k++) {
      means.add(in.f64("mean"));
    }
    return new Fill(count, means);
  }

  private static Column.Details readDetails(ByteReader in, String name)
      throws InvalidModelException {
    int room = in.i32();
    if (room < 0 || room > MOST_BUCKETS) {
      throw new InvalidModelException("column " + name + " has room for " + room + " values");
    }
    TextHash hash = HASHES.get(in.code("hash", HASHES.size()));
    DateForm dates = DATES.get(in.code("order of dates", DATES.size()));
    boolean yearly = in.code("time of year", 2) == 1;
    double shift = in.f64("shift");
    double scale = in.f64("scale");
    boolean logarithm = in.code("logarithm", 2) == 1;
    Standard standard = new Standard(shift, scale, logarithm, in.limit("limit"));
    return new Column.Details(room, hash, dates, yearly, standard, in.f64("unit"));
  }

  private static List<String> readTexts(ByteReader in, String name) throws InvalidModelException {
    int count = in.count(name, 2);
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      texts.add(in.text());
    }
    return texts;
  }
}
