// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What every writer asks of a model before it writes, and says of it in the file. */
final class Exportable {
  final RowModel rows;
  final Model model;

  /** The columns, without the features that are left for values to come. */
  final Schema schema;

  /** The model's, of the features that are written. */
  final Scaling scaling;

  /** Number of features of a vector: all that the schema, the scaling or a core point knows. */
  final int dimension;

  /** For each feature of the model the feature that is written, or −1; empty if all are. */
  private final int[] written;

  /** With room for {@code features} numbered features, 0 for those the model has seen. */
  Exportable(RowModel rows, int features) {
    this.rows = rows;
    this.model = rows.model();
    this.schema = new Schema(rows.schema().columns().stream().map(Exportable::bare).toList());
    this.written = written(rows.schema());
    boolean empty = model.task() == Task.CLASSIFICATION && model.classes() == 0;
    if (empty || model.size() == 0) {
      throw new NotExpressibleException("the model has learned nothing yet: train it first");
    }
    int declared = Math.max(model.config().features(), schema.dimension());
    int known = Math.max(model.dimension(), model.scaling().dimension());
    int seen = written.length > 0 ? schema.dimension() : Math.max(declared, known);
    if (features > 0 && (features < seen || !schema.isNumbered())) {
      throw new NotExpressibleException(
          "features must be at least "
              + seen
              + " and are for numbered ones only, were "
              + features
              + ": leave it out");
    }
    this.dimension = Math.max(seen, features);
    this.scaling = written.length == 0 ? model.scaling() : scaling(model.scaling());
    checkNames();
  }

  /** The column without features that no row has yet. */
  private static Column bare(Column column) {
    boolean open = column.kind() == Column.Kind.CATEGORICAL && column.details().room() > 0;
    return open
        ? new Column(
            column.name(),
            column.kind(),
            column.fill(),
            column.categories(),
            0,
            column.details().withRoom(0))
        : column;
  }

  private static int[] written(Schema full) {
    int[] written = new int[full.dimension()];
    int from = 0;
    int next = 0;
    for (Column column : full.columns()) {
      int used = bare(column).width();
      for (int k = 0; k < column.width(); k++) {
        written[from + k] = k < used ? next++ : -1;
      }
      from += column.width();
    }
    return written;
  }

  private Scaling scaling(Scaling full) {
    int d = 0;
    for (int j = 0; j < full.dimension(); j++) {
      d += written[j] >= 0 ? 1 : 0;
    }
    double[] shift = new double[d];
    double[] scale = new double[d];
    boolean[] logarithm = new boolean[d];
    for (int j = 0; j < full.dimension(); j++) {
      if (written[j] >= 0) {
        shift[written[j]] = full.shift(j);
        scale[written[j]] = full.scale(j);
        logarithm[written[j]] = full.isLogarithmic(j);
      }
    }
    return full.isIdentity() ? full : new Scaling(shift, scale, logarithm, full.isSparse());
  }

  /** A model of plain vectors; classes are named by their labels. */
  static RowModel named(Model model) {
    List<String> names = new ArrayList<>();
    for (int j = 0; j < model.classes(); j++) {
      names.add(Row.canonical(model.label(j)));
    }
    return new RowModel(Schema.numbered(), "", names, model.relabelled());
  }

  private void checkNames() {
    Set<String> seen = new HashSet<>();
    for (Column column : usedColumns()) {
      if (!seen.add(column.name())) {
        throw new NotExpressibleException(
            "two columns are named '" + column.name() + "': inputs are told apart by name");
      }
    }
  }

  boolean isClassification() {
    return model.task() == Task.CLASSIFICATION;
  }

  /** The columns that give features. */
  List<Column> usedColumns() {
    return schema.columns().stream().filter(column -> column.width() > 0).toList();
  }

  /** Whether rows are plain vectors, up to missing cells. */
  boolean isNumeric() {
    return usedColumns().stream().allMatch(column -> column.kind() == Column.Kind.NUMERIC);
  }

  /** The name of class j as people know it. */
  String className(int j) {
    return rows.name(model.label(j));
  }

  /** w_i of class j, for two classes −w/2 and w/2 of their one column; j is 0 for regression. */
  double coefficient(int j, int i) {
    if (!isClassification() || model.columns() > 1) {
      return model.coefficient(j, i);
    }
    return (j == 0 ? -model.coefficient(0, i) : model.coefficient(0, i)) / 2;
  }

  /** Core point i with all its features. */
  double[] point(int i) {
    double[] full = new double[dimension];
    FeatureVector point = model.corePoint(i);
    for (int k = 0; k < point.count(); k++) {
      int j = point.isSparse() ? point.indices()[k] : k;
      int place = written.length == 0 ? j : written[j];
      if (place >= 0) {
        full[place] = point.values()[k];
      }
    }
    return full;
  }

  /** What squared distances to core point i are multiplied by: 1 unless it is a fine point. */
  double stretch(int i) {
    return i < model.size() - model.fine() ? 1 : model.stretch();
  }

  /**
   * For formats whose kernel has one width.
   *
   * @throws NotExpressibleException if the model has fine points
   */
  void requireOneWidth(String format) {
    if (model.fine() > 0) {
      throw new NotExpressibleException(
          "the model has "
              + model.fine()
              + " fine points, whose kernel is of another width, and "
              + format
              + " has one width for all: export to ONNX, or train without fine points (--fine 0)");
    }
  }

  /** A name that is not taken by a column: {@code wanted} with as many underscores as needed. */
  String freeName(String wanted) {
    List<String> taken = schema.columns().stream().map(Column::name).toList();
    String name = wanted;
    while (taken.contains(name)) {
      name += "_";
    }
    return name;
  }

  /** The target's name, or what stands for it. */
  String targetName() {
    return rows.target().isEmpty() ? isClassification() ? "label" : "prediction" : rows.target();
  }

  /** Where the model comes from, key by key. */
  Map<String, String> provenance() {
    Provenance origin = model.provenance();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("avm4j.version", origin.library());
    facts.put("avm4j.task", model.task().name().toLowerCase(java.util.Locale.ROOT));
    facts.put("avm4j.target", rows.target());
    facts.put("avm4j.instances", Long.toString(origin.instances()));
    facts.put("avm4j.core_points", Integer.toString(model.size()));
    if (model.fine() > 0) {
      facts.put("avm4j.fine_points", Integer.toString(model.fine()));
    }
    facts.put("avm4j.features", Integer.toString(dimension));
    facts.put("avm4j.configuration", model.config().toString());
    facts.put("avm4j.jdk", origin.jdk());
    facts.put("avm4j.architecture", origin.architecture());
    facts.put("avm4j.simd", origin.simd());
    if (isClassification()) {
      boolean meant = model.config().loss() instanceof Logistic;
      facts.put(
          "avm4j.probabilities",
          meant ? "softmax of scores learned by the logistic loss" : "only their order is meant");
    }
    return facts;
  }
}
