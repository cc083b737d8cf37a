// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Partition;
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
  private static final int TINY = -400;

  final RowModel rows;
  final Model model;

  /** The columns, without the features that are left for values to come. */
  final Schema schema;

  /** The model's, of the features that are written. */
  final Scaling scaling;

  /** Number of features of a vector: all that the schema, a scaling or a core point knows. */
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
    int known = known(model);
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
    this.scaling = scaling(model.scaling());
    checkNames();
  }

  /** Number of features that core points, centres and scalings know, cells' included. */
  private static int known(Model model) {
    int fitted = Math.max(model.scaling().dimension(), model.bounds().dimension());
    int known = Math.max(model.dimension(), fitted);
    for (Cells cells : model.levels()) {
      known = Math.max(known, known(cells.partition()));
    }
    for (Model part : model.parts()) {
      known = Math.max(known, known(part));
    }
    return known;
  }

  private static int known(Partition partition) {
    if (!(partition instanceof Centres centres)) {
      return partition.dimension();
    }
    int known = centres.scaling().dimension();
    for (int i = 0; i < centres.size(); i++) {
      known = Math.max(known, centres.point(i).dimension());
    }
    return known;
  }

  /** The column without features that no row has yet. */
  private static Column bare(Column column) {
    boolean open = column.kind() == Column.Kind.CATEGORY && column.details().room() > 0;
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

  /** The scaling of the features that are written, fitted for all of them or the identity. */
  Scaling scaling(Scaling full) {
    if (full.isIdentity()) {
      return full;
    }
    double[] shift = new double[dimension];
    double[] scale = new double[dimension];
    boolean[] logarithm = new boolean[dimension];
    int all = written.length == 0 ? dimension : written.length;
    for (int j = 0; j < all; j++) {
      int place = place(j);
      if (place >= 0) {
        boolean fitted = j < full.dimension();
        shift[place] = fitted ? full.shift(j) : 0;
        scale[place] = fitted ? full.scale(j) : factorBeyond(full);
        logarithm[place] = fitted && full.isLogarithmic(j);
      }
    }
    return new Scaling(shift, scale, logarithm, full.isSparse());
  }

  /** The bounds of the features that are written. */
  BoundTable bounds(Bounds full) {
    BoundTable table = BoundTable.none(dimension);
    for (int j = 0; j < full.dimension(); j++) {
      int place = place(j);
      if (place >= 0) {
        table.set(place, full, j);
      }
    }
    return table;
  }

  /** What a feature beyond those fitted is multiplied by. */
  private static double factorBeyond(Scaling scaling) {
    // So small that no scaling cuts it; a power of two is multiplied without rounding.
    double tiny = scaling.apply(scaling.dimension(), Math.scalb(1.0, TINY));
    return Math.scalb(tiny, -TINY);
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
    return usedColumns().stream()
        .allMatch(c -> c.kind() == Column.Kind.NUMBER && c.details().standard().isNone());
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
    return point(model.corePoint(i));
  }

  /** Where feature j is written; −1 if it is not, because it is 0 in every row. */
  int place(int j) {
    return written.length == 0 ? j : written[j];
  }

  /** A core point or a centre with all its features. */
  double[] point(FeatureVector point) {
    double[] full = new double[dimension];
    for (int k = 0; k < point.count(); k++) {
      int j = point.isSparse() ? point.indices()[k] : k;
      int place = place(j);
      if (place >= 0) {
        full[place] = point.values()[k];
      }
    }
    return full;
  }

  /**
   * For formats that hold one kernel expansion.
   *
   * @throws NotExpressibleException if cells of the model have expansions of their own
   */
  void requireOneExpansion(String format) {
    if (!model.levels().isEmpty()) {
      throw new NotExpressibleException(
          "the model has "
              + model.parts().size()
              + " cells with a kernel expansion of their own, and "
              + format
              + " holds one expansion: export to ONNX, or train without cells (--cells 0)");
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
    return rows.target().isEmpty() ? isClassification() ? "label" : "target" : rows.target();
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
    if (!model.levels().isEmpty()) {
      facts.put("avm4j.cells", Integer.toString(model.parts().size()));
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
