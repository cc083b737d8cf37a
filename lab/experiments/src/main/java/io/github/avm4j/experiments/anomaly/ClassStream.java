// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.experiments.catalogue.LocalData;
import io.github.avm4j.experiments.catalogue.Progress;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Rows with a class each, in the order in which they arrive: pendigits, training rows first, and
 * covtype by its ten numbers.
 *
 * @param name what tables call it
 * @param rows the rows
 */
record ClassStream(String name, List<Classified> rows) {
  static final List<String> NAMES = List.of("pendigits", "covtype");

  /** The numbers of covtype; its other columns are indicators. */
  private static final int TEN = 10;

  /** A row and its class, which clusterers do not see. */
  static final class Classified {
    final double[] x;
    final int label;

    Classified(double[] x, int label) {
      this.x = x;
      this.label = label;
    }
  }

  static ClassStream load(Path folder, String name) throws IOException {
    LocalData local = new DataCache(folder).get(name, Progress.NONE);
    List<Path> files = new ArrayList<>(local.train());
    files.addAll(local.test());
    Schema schema = AnomalySets.schema(local.set().options(), files);
    List<Classified> rows = new ArrayList<>();
    int width = 0;
    try (RowReader reader = Readers.open(local.set().options(), files.toArray(Path[]::new))) {
      RowEncoder encoder = schema.encoder(reader.columns());
      Row row = new Row();
      while (reader.next(row)) {
        double[] x = new double[TEN];
        if (name.equals("covtype")) {
          Arrays.setAll(x, row::number);
        } else {
          x = AnomalySets.dense(encoder.encode(row), schema);
        }
        width = Math.max(width, x.length);
        rows.add(new Classified(x, Integer.parseInt(row.labelText())));
      }
    }
    int features = width;
    return new ClassStream(
        name,
        rows.stream()
            .map(row -> new Classified(Arrays.copyOf(row.x, features), row.label))
            .toList());
  }

  int features() {
    return rows.get(0).x.length;
  }

  int classes() {
    return (int) rows.stream().mapToInt(row -> row.label).distinct().count();
  }

  ClassStream shuffled(long seed) {
    List<Classified> copy = new ArrayList<>(rows);
    Collections.shuffle(copy, new Random(seed));
    return new ClassStream(name, copy);
  }

  ClassStream limited(int most) {
    return rows.size() <= most ? this : new ClassStream(name, List.copyOf(rows.subList(0, most)));
  }

  /** Each feature from 0, its least value, to 1, its largest; 0 where it has one value. */
  ClassStream scaled() {
    double[] low = rows.get(0).x.clone();
    double[] high = low.clone();
    for (Classified row : rows) {
      for (int j = 0; j < low.length; j++) {
        low[j] = Math.min(low[j], row.x[j]);
        high[j] = Math.max(high[j], row.x[j]);
      }
    }
    return new ClassStream(
        name, rows.stream().map(row -> new Classified(unit(row.x, low, high), row.label)).toList());
  }

  private static double[] unit(double[] x, double[] low, double[] high) {
    double[] result = new double[x.length];
    Arrays.setAll(result, j -> high[j] > low[j] ? (x[j] - low[j]) / (high[j] - low[j]) : 0);
    return result;
  }
}
