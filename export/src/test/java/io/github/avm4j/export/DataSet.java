// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Rows of a public data set: the first to learn from, the next to be asked about. */
record DataSet(
    String name, Task task, List<String> columns, Schema schema, List<Row> train, List<Row> test) {
  private static final boolean LONG = "long".equals(System.getProperty("laws"));

  /** The table of docs/interop.md has these many rows; the gate looks at a third. */
  private static final int LEARNED = LONG ? 3000 : 1000;

  private static final int ASKED = LONG ? 1000 : 300;

  private static final Path FOLDER = Path.of(System.getProperty("avm4j.data", "missing"));

  static boolean isHere() {
    return Files.isDirectory(FOLDER);
  }

  /** The data sets of lab/results/interop.md, each with its file and label. */
  static List<DataSet> all() throws IOException {
    return List.of(
        some("a9a", Task.CLASSIFICATION, null),
        some("ijcnn1", Task.CLASSIFICATION, null),
        some("w8a", Task.CLASSIFICATION, null),
        some("cod-rna/cod-rna.scale", Task.CLASSIFICATION, null),
        some("streams/phishing.libsvm", Task.CLASSIFICATION, null),
        some("electricity/electricity.arff", Task.CLASSIFICATION, null),
        read(
            "kddcup99/NSL-KDD_KDDTrain.arff",
            Task.CLASSIFICATION,
            null,
            LEARNED,
            ASKED,
            Map.of("service", Column.Kind.CATEGORY)),
        some("covtype/covtype.data", Task.CLASSIFICATION, null),
        some("poker/poker-hand-training-true.data", Task.CLASSIFICATION, null),
        some("extra/letter.scale", Task.CLASSIFICATION, null),
        some("extra/pendigits", Task.CLASSIFICATION, null),
        some("casp/CASP.csv", Task.REGRESSION, "RMSD"),
        some("extra/cal_housing.data", Task.REGRESSION, null),
        some("extra/regression/kin40k.csv", Task.REGRESSION, null),
        some("airlines/airlines8_nyc2013.csv", Task.REGRESSION, "arr_delay"));
  }

  private static DataSet some(String file, Task task, String label) throws IOException {
    return read(file, task, label, LEARNED, ASKED, Map.of());
  }

  static DataSet read(String file, Task task, String label) throws IOException {
    return read(file, task, label, 3000, 1000, Map.of());
  }

  static DataSet read(
      String file, Task task, String label, int train, int test, Map<String, Column.Kind> kinds)
      throws IOException {
    String path = file.contains("/") ? file : file + "/" + file;
    List<Row> rows = new ArrayList<>();
    ReaderOptions options = ReaderOptions.defaults().withLabel(label);
    try (RowReader reader = Readers.open(options, FOLDER.resolve(path + ".xz"))) {
      Row row = new Row();
      while (rows.size() < train + test && reader.next(row)) {
        Row copy = new Row();
        copy.copyFrom(row);
        if (row.labelKind() != Row.Kind.MISSING) {
          rows.add(copy);
        }
      }
      String name = path.substring(path.lastIndexOf('/') + 1).replaceFirst("[.].*", "");
      return of(name, task, reader.columns(), rows, train, kinds);
    }
  }

  static DataSet of(
      String name,
      Task task,
      List<String> columns,
      List<Row> rows,
      int train,
      Map<String, Column.Kind> kinds) {
    SchemaFitter fitter = new SchemaFitter(columns, kinds);
    rows.subList(0, Math.min(train, 1000)).forEach(fitter::add);
    return new DataSet(
        name,
        task,
        columns,
        fitter.fit(),
        rows.subList(0, train),
        rows.subList(train, rows.size()));
  }

  int classes() {
    LinkedHashSet<String> names = new LinkedHashSet<>();
    train.forEach(row -> names.add(row.labelText()));
    return names.size();
  }

  /** One more than the largest index of numbered features; 0 if there are columns. */
  int features() {
    int most = 0;
    for (List<Row> part : List.of(train, test)) {
      for (Row row : part) {
        most = Math.max(most, row.features().dimension());
      }
    }
    return schema.isNumbered() ? most : 0;
  }

  RowEncoder encoder() {
    return schema.encoder(columns);
  }

  /** The mean squared distance between rows next to each other, before scaling. */
  double spread() {
    RowEncoder one = encoder();
    RowEncoder two = encoder();
    double sum = 0;
    int pairs = Math.min(500, train.size() - 1);
    for (int i = 0; i < pairs; i++) {
      FeatureVector a = one.encode(train.get(i));
      FeatureVector b = two.encode(train.get(train.size() - 1 - i));
      double dot = 0;
      for (int k = 0; k < a.count(); k++) {
        dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
      }
      sum += a.squaredNorm() + b.squaredNorm() - 2 * dot;
    }
    return sum / pairs;
  }

  /** What the learner makes of the first rows. */
  RowModel learn(Learner learner) {
    RowLearner rows = new RowLearner(schema, "", learner);
    RowEncoder encoder = rows.encoder(columns);
    for (Row row : train) {
      learner.learn(encoder.encode(row), rows.target(row), row.weight());
    }
    return rows.snapshot();
  }

  /** The same rows with every number rounded to float, as a tensor of floats holds them. */
  List<Row> roundedTest() {
    List<Row> rounded = new ArrayList<>();
    for (Row row : test) {
      Row copy = new Row();
      copy.reset(row.width());
      for (int c = 0; c < row.width(); c++) {
        switch (row.kind(c)) {
          case NUMBER -> copy.setNumber(c, (float) row.number(c));
          case TEXT -> copy.setText(c, row.text(c));
          case MISSING -> {}
        }
      }
      FeatureVector x = row.features();
      for (int k = 0; k < x.count(); k++) {
        copy.addFeature(x.indices()[k], (float) x.values()[k]);
      }
      rounded.add(copy);
    }
    return rounded;
  }
}
