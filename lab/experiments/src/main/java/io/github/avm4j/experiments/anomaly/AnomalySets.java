// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.experiments.anomaly.AnomalyStream.Labelled;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.experiments.catalogue.LocalData;
import io.github.avm4j.experiments.catalogue.Progress;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/**
 * The streams of the table. In words: shuttle without class 4 (High), class 1 (Rad.Flow) being
 * normal; connections of services http and smtp in the 10 % file of KDD Cup 1999 by duration and
 * bytes of either direction; covtype's class 2 against class 4 by its ten numbers; NSL-KDD and
 * pendigits with anomalies (attacks, the digit 0) left out at random until one row in a hundred is
 * one.
 */
final class AnomalySets {
  static final List<String> NAMES =
      List.of("shuttle", "http", "smtp", "covtype", "nsl-kdd", "pendigits", "spikes", "drift");

  private static final String NSL = "kddcup99/NSL-KDD_KDDTrain.arff.xz";
  private static final int GENERATED = 50_000;
  private static final double RARE = 0.01;

  private final Path folder;
  private final DataCache cache;

  AnomalySets(Path folder) {
    this.folder = folder;
    cache = new DataCache(folder);
  }

  AnomalyStream load(String name) throws IOException {
    return switch (name) {
      case "shuttle" ->
          read(name, "shuttle", row -> !row.labelText().equals("High"), "Rad.Flow", List.of());
      case "http", "smtp" ->
          read(name, "kddcup99", row -> row.text(2).equals(name), "normal.", List.of(0, 4, 5));
      case "covtype" ->
          read(
              name,
              "covtype",
              row -> row.labelText().equals("2") || row.labelText().equals("4"),
              "2",
              List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
      case "nsl-kdd" ->
          rare(
              read(
                  name,
                  ReaderOptions.defaults(),
                  List.of(folder.resolve(NSL)),
                  row -> true,
                  row -> !row.labelText().equals("normal"),
                  List.of()));
      case "pendigits" -> {
        LocalData local = cache.get(name, Progress.NONE);
        List<Path> files = new ArrayList<>(local.train());
        files.addAll(local.test());
        Predicate<Row> zero = row -> row.labelText().equals("0");
        yield rare(read(name, local.set().options(), files, row -> true, zero, List.of()));
      }
      case "spikes" -> spikes(new Random(1));
      case "drift" -> drift(new Random(2));
      default -> throw new IllegalArgumentException("no stream is called '" + name + "'");
    };
  }

  private AnomalyStream read(
      String name, String set, Predicate<Row> kept, String normal, List<Integer> columns)
      throws IOException {
    LocalData local = cache.get(set, Progress.NONE);
    Predicate<Row> anomalous = row -> !row.labelText().equals(normal);
    return read(name, local.set().options(), local.train(), kept, anomalous, columns);
  }

  /** Rows of files: numbers of the given columns, or all columns encoded as `avm detect` does. */
  private static AnomalyStream read(
      String name,
      ReaderOptions options,
      List<Path> files,
      Predicate<Row> kept,
      Predicate<Row> anomalous,
      List<Integer> columns)
      throws IOException {
    Schema schema = schema(options, files);
    List<Labelled> rows = new ArrayList<>();
    int width = 0;
    try (RowReader reader = Readers.open(options, files.toArray(Path[]::new))) {
      RowEncoder encoder = schema.encoder(reader.columns());
      Row row = new Row();
      while (reader.next(row)) {
        if (kept.test(row)) {
          double[] x =
              columns.isEmpty()
                  ? dense(encoder.encode(row), schema)
                  : columns.stream().mapToDouble(row::number).toArray();
          width = Math.max(width, x.length);
          rows.add(new Labelled(x, anomalous.test(row)));
        }
      }
    }
    int features = width;
    return new AnomalyStream(
        name,
        rows.stream()
            .map(row -> new Labelled(java.util.Arrays.copyOf(row.x, features), row.anomalous))
            .toList());
  }

  static double[] dense(FeatureVector x, Schema schema) {
    double[] values = new double[Math.max(schema.dimension(), x.dimension())];
    for (int k = 0; k < x.count(); k++) {
      values[x.isSparse() ? x.indices()[k] : k] = x.values()[k];
    }
    return values;
  }

  static Schema schema(ReaderOptions options, List<Path> files) throws IOException {
    try (RowReader reader = Readers.open(options, files.toArray(Path[]::new))) {
      SchemaFitter fitter =
          new SchemaFitter(reader.columns(), Map.of()).declared(reader.declared());
      Row row = new Row();
      for (int i = 0; i < 1000 && reader.next(row); i++) {
        fitter.add(row);
      }
      return fitter.fit().closed();
    }
  }

  /** Leaves anomalies out until one row in a hundred is one. */
  private static AnomalyStream rare(AnomalyStream all) {
    long anomalies = all.anomalies();
    double share = RARE / (1 - RARE) * (all.rows().size() - anomalies) / anomalies;
    Random random = new Random(1);
    return new AnomalyStream(
        all.name(),
        all.rows().stream().filter(row -> !row.anomalous || random.nextDouble() < share).toList());
  }

  /** Two noisy waves and noise; anomalies jump by about four deviations of the noise, anywhere. */
  private static AnomalyStream spikes(Random random) {
    List<Labelled> rows = new ArrayList<>();
    for (int t = 0; t < GENERATED; t++) {
      boolean odd = random.nextDouble() < RARE;
      double[] x = {Math.sin(t / 50.0), Math.cos(t / 50.0), 0};
      for (int j = 0; j < x.length; j++) {
        x[j] += 0.25 * random.nextGaussian() * (odd ? 5 : 1);
      }
      rows.add(new Labelled(x, odd));
    }
    return new AnomalyStream("spikes", rows);
  }

  /** Noise of five features, elsewhere and three times as large after the first half. */
  private static AnomalyStream drift(Random random) {
    List<Labelled> rows = new ArrayList<>();
    for (int t = 0; t < GENERATED; t++) {
      boolean odd = random.nextDouble() < RARE;
      double scale = t < GENERATED / 2 ? 1 : 3;
      double[] x = new double[5];
      for (int j = 0; j < x.length; j++) {
        double shift = odd ? 2.5 * (random.nextBoolean() ? 1 : -1) : 0;
        x[j] = (scale > 1 ? 20 : 0) + scale * (random.nextGaussian() + shift);
      }
      rows.add(new Labelled(x, odd));
    }
    return new AnomalyStream("drift", rows);
  }
}
