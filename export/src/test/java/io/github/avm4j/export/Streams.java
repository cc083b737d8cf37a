// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Small streams with every kind of column, made from a seed. */
final class Streams {
  static final List<String> COLUMNS = List.of("size", "colour", "when", "empty");

  private Streams() {}

  /** Rows of numbers, categories and times with a heavy tail and missing cells. */
  static DataSet mixed(Task task, int classes, Map<String, Column.Kind> kinds) {
    Random random = new Random(7);
    List<Row> rows = new ArrayList<>();
    List<String> colours = List.of("red", "green", "blue", "1");
    for (int i = 0; i < 800; i++) {
      Row row = new Row();
      row.reset(COLUMNS.size());
      double size = Math.exp(3 * random.nextGaussian());
      int colour = random.nextInt(4);
      int hour = random.nextInt(24);
      if (random.nextInt(10) > 0) {
        row.setNumber(0, random.nextBoolean() ? size : -size);
      }
      if (random.nextInt(10) > 0) {
        row.setText(1, i > 500 && random.nextInt(5) == 0 ? "unseen" : colours.get(colour));
      }
      if (random.nextInt(10) > 0) {
        int day = 1 + random.nextInt(28);
        row.setText(2, String.format("19%02d-%02d-%02dT%02d:17:41", 60 + i % 40, 2, day, hour));
      }
      double value = Math.log(size) + colour + (hour < 12 ? 2 : 0);
      if (task == Task.REGRESSION) {
        row.setLabel(value);
      } else {
        row.setLabel(Math.floorMod((int) value, classes) + " of them");
      }
      rows.add(row);
    }
    return DataSet.of("mixed", task, COLUMNS, rows, 600, kinds);
  }

  /** The mixed rows with two known colours and the others hashed into five features. */
  static DataSet full(Task task, int classes) {
    DataSet data = mixed(task, classes, Map.of());
    List<Column> columns = new ArrayList<>(data.schema().columns());
    Column.Details details = Column.Details.NEWEST;
    columns.set(
        1, new Column("colour", Column.Kind.CATEGORY, Fill.NONE, List.of("red", "1"), 5, details));
    return new DataSet(
        "full", task, data.columns(), new Schema(columns), data.train(), data.test());
  }

  /** Rows of so many values that vectors are sparse, beside numbers and dates. */
  static DataSet manyValues(Task task) {
    Random random = new Random(11);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      Row row = new Row();
      row.reset(COLUMNS.size());
      double size = Math.exp(3 * random.nextGaussian());
      int value = random.nextInt(700);
      int hour = random.nextInt(24);
      if (random.nextInt(10) > 0) {
        row.setNumber(0, random.nextBoolean() ? size : -size);
      }
      row.setText(1, "v" + value);
      if (random.nextInt(10) > 0) {
        row.setText(2, String.format("20%02d-02-%02dT%02d:17:41", i % 20, 1 + value % 28, hour));
      }
      row.setLabel(Math.log(size) + value % 5 + (hour < 12 ? 2 : 0));
      rows.add(row);
    }
    return DataSet.of("many values", task, COLUMNS, rows, 1200, Map.of());
  }

  /** A model of plain vectors: classes by the quadrant. */
  static RowModel quadrants(int classes) {
    Learner learner = Avm.paperClassifier().gamma(1).delta(0.5).lambda(0.01).build();
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      int quadrant = (x[0] > 0 ? 1 : 0) + (x[1] > 0 ? 2 : 0);
      learner.learn(x, quadrant % classes);
    }
    return Exportable.named(learner.snapshot());
  }

  static Learner gaussian(Task task) {
    return LearnerKinds.paper(task, new Gaussian(0.3), 0.5);
  }
}
