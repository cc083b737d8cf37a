// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.model.ByteReader;
import io.github.avm4j.model.ByteWriter;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.ModelFormat;
import io.github.avm4j.model.Sections;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The SCHEMA section: columns, the target's name and the names of the classes. */
final class RowFormat {
  private static final List<Column.Kind> KINDS =
      List.of(
          Column.Kind.NUMERIC,
          Column.Kind.CATEGORICAL,
          Column.Kind.HASHED,
          Column.Kind.TEMPORAL,
          Column.Kind.DROPPED);
  private static final int MOST_BUCKETS = 1 << 20;

  private RowFormat() {}

  static byte[] write(RowModel model) {
    Map<Integer, byte[]> payloads = ModelFormat.payloads(model.model());
    payloads.put(Sections.SCHEMA, writeSchema(model.schema(), model.target(), model.classNames()));
    return Sections.write(payloads);
  }

  static byte[] write(RowLearner rows) {
    byte[] schema = writeSchema(rows.schema(), rows.targetName(), rows.names().toList());
    return Sections.append(rows.learner().toBytes(), Sections.SCHEMA, schema);
  }

  private static byte[] writeSchema(Schema schema, String target, List<String> names) {
    ByteWriter out = new ByteWriter();
    out.text(target);
    out.i32(schema.columns().size());
    for (Column column : schema.columns()) {
      out.text(column.name());
      out.u8(KINDS.indexOf(column.kind()));
      out.f64(column.fill());
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
      Schema schema = readSchema(in);
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
    Learner learner = named ? LearnerFormat.read(file) : LearnerFormat.readRelabelled(file);
    return new RowLearner(
        model.schema(), model.target(), new ClassNames(model.classNames()), learner);
  }

  private static Schema readSchema(ByteReader in) throws InvalidModelException {
    int count = in.count("columns", 19);
    List<Column> columns = new ArrayList<>(count);
    for (int c = 0; c < count; c++) {
      String name = in.text();
      int kind = in.code("column kind", KINDS.size());
      double fill = in.f64("fill");
      int buckets = in.i32();
      if (buckets > MOST_BUCKETS) {
        throw new InvalidModelException("column " + name + " has " + buckets + " buckets");
      }
      columns.add(new Column(name, KINDS.get(kind), fill, readTexts(in, "categories"), buckets));
    }
    return new Schema(columns);
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
