// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.experiments.catalogue.LocalData;
import io.github.avm4j.experiments.catalogue.Progress;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a data set into memory and prepares it. A text becomes the number of its first appearance
 * in its column.
 */
final class Loader {
  private static final int DEALT_HANDS = 1_000_000;
  private static final long DEAL_SEED = 2017;

  private final DataCache cache;

  Loader(DataCache cache) {
    this.cache = cache;
  }

  /**
   * Rows for learning and for testing.
   *
   * @param test empty where the set has none of its own
   */
  record Split(Table train, Table test) {
    /** All rows, those for learning first. */
    Table all() {
      return train.and(test);
    }
  }

  /** The prepared rows; {@code most} bounds each part, 0 for no bound. */
  Split load(ExperimentData data, int most) throws IOException {
    LocalData local = cache.get(data.source(), Progress.NONE);
    Codes codes = new Codes();
    Table train = read(data, local, local.train(), codes, most);
    Table test = new Table(List.of(), List.of());
    if (data.name().equals("poker")) {
      test = Poker.deal(most == 0 ? DEALT_HANDS : most, DEAL_SEED);
    } else if (!local.test().isEmpty() && !data.large()) {
      test = read(data, local, local.test(), codes, most);
    }
    return prepare(data, train, test);
  }

  private static Table read(
      ExperimentData data, LocalData local, List<Path> files, Codes codes, int most)
      throws IOException {
    ReaderOptions options = local.set().options();
    if (!data.label().isEmpty()) {
      options = options.withLabel(data.label()).withIgnored(data.ignored());
    }
    List<FeatureVector> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    try (RowReader reader = Readers.open(options, files.toArray(Path[]::new))) {
      Row row = new Row();
      while ((most == 0 || x.size() < most) && reader.next(row)) {
        x.add(vector(row, reader.columns().size(), codes));
        double target =
            row.labelKind() == Row.Kind.TEXT ? codes.of(-1, row.labelText()) : row.labelNumber();
        y.add(Double.isNaN(data.threshold()) ? target : target > data.threshold() ? 1 : 0);
      }
    }
    return new Table(x, y);
  }

  private static FeatureVector vector(Row row, int columns, Codes codes) {
    if (columns == 0) {
      return row.features().copy();
    }
    double[] values = new double[columns];
    for (int j = 0; j < columns; j++) {
      values[j] =
          switch (row.kind(j)) {
            case NUMBER -> row.number(j);
            case TEXT -> codes.of(j, row.text(j));
            case MISSING ->
                throw new IllegalArgumentException("column " + j + " has a missing cell");
          };
    }
    return FeatureVector.dense(values);
  }

  /** Numbers for texts, by column. */
  private static final class Codes {
    private final Map<Integer, Map<String, Integer>> columns = new HashMap<>();

    double of(int column, String text) {
      Map<String, Integer> known = columns.computeIfAbsent(column, c -> new HashMap<>());
      return known.computeIfAbsent(text, t -> known.size());
    }
  }

  private static Split prepare(ExperimentData data, Table train, Table test) {
    Table all = train.and(test);
    List<FeatureVector> x = all.x();
    if (data.scaling() != ExperimentData.Preprocessing.NONE) {
      scale(x, data.scaling());
    }
    List<Double> y = all.targets();
    if (data.task() == Task.REGRESSION && data.scalesTarget()) {
      double low = y.stream().mapToDouble(v -> v).min().orElse(0);
      double width = y.stream().mapToDouble(v -> v).max().orElse(1) - low;
      y = y.stream().map(v -> (v - low) / width).toList();
    }
    Table ready = new Table(x, y);
    return new Split(ready.part(0, train.size()), ready.part(train.size(), all.size()));
  }

  /** Scales dense rows in place; a constant feature becomes 0. */
  private static void scale(List<FeatureVector> x, ExperimentData.Preprocessing how) {
    int d = x.get(0).count();
    double[] low = new double[d];
    double[] high = new double[d];
    double[] sum = new double[d];
    double[] squares = new double[d];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    for (FeatureVector row : x) {
      for (int j = 0; j < d; j++) {
        double value = row.values()[j];
        low[j] = Math.min(low[j], value);
        high[j] = Math.max(high[j], value);
        sum[j] += value;
        squares[j] += value * value;
      }
    }
    for (FeatureVector row : x) {
      for (int j = 0; j < d; j++) {
        double mean = sum[j] / x.size();
        boolean range = how == ExperimentData.Preprocessing.MIN_MAX;
        double shift = range ? low[j] : mean;
        double width =
            range ? high[j] - low[j] : Math.sqrt(Math.max(0, squares[j] / x.size() - mean * mean));
        row.values()[j] = width > 0 ? (row.values()[j] - shift) / width : 0;
      }
    }
  }
}
