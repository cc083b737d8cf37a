// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.experiments.catalogue.LocalData;
import io.github.avm4j.experiments.catalogue.Progress;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.GrowingSchema;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import java.io.IOException;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A data set in memory, encoded as {@code avm evaluate} does: the schema from the first 1000 rows.
 *
 * @param name what tables call it
 * @param task what is learned
 * @param ordered whether its order is time and must stay
 * @param x the rows, encoded and not scaled
 * @param y their labels or numbers
 */
public record StreamData(
    String name, Task task, boolean ordered, List<FeatureVector> x, List<Double> y) {
  private static final int PREVIEW = 1000;

  /**
   * Which set, and how it differs from the catalogue's.
   *
   * @param name what tables call it
   * @param set its name in the catalogue
   * @param task what is learned
   * @param ordered whether the order of the file stays
   * @param late makes two classes of a number: whether it is larger; NaN for none
   */
  public record Source(String name, String set, Task task, boolean ordered, double late) {
    /** A set of the catalogue, shuffled. */
    public Source(String name, Task task) {
      this(name, name, task, false, Double.NaN);
    }
  }

  private static final Task C = Task.CLASSIFICATION;
  private static final Task R = Task.REGRESSION;

  /** Every set that the default learner is measured on. */
  static final List<Source> ALL =
      List.of(
          new Source("a9a", C),
          new Source("w8a", C),
          new Source("cod-rna", C),
          new Source("ijcnn1", C),
          new Source("covtype", C),
          new Source("casp", R),
          new Source("kddcup99", C),
          new Source("electricity", "electricity", C, true, Double.NaN),
          new Source("weather", "weather", C, true, Double.NaN),
          new Source("letter", C),
          new Source("pendigits", C),
          new Source("shuttle", C),
          new Source("magic04", C),
          new Source("skin", C),
          new Source("phishing", C),
          new Source("spam", C),
          new Source("poker", C),
          new Source("kin40k", R),
          new Source("cal_housing", R),
          new Source("cpusmall", R),
          new Source("keggundirected", R),
          new Source("airlines late", "airlines", C, false, 15),
          new Source("airlines minutes", "airlines", R, false, Double.NaN));

  /** Reads a set, its test rows after its training rows if {@code whole}. */
  static StreamData load(Source source, DataCache cache, boolean whole) throws IOException {
    LocalData local = cache.get(source.set, Progress.NONE);
    List<Path> files = new ArrayList<>(local.train());
    if (whole) {
      files.addAll(local.test());
    }
    return read(source, local.set().options(), files, files);
  }

  /** The test rows of a set, encoded by the schema of its training rows. */
  static StreamData loadTest(Source source, DataCache cache) throws IOException {
    LocalData local = cache.get(source.set, Progress.NONE);
    return read(source, local.set().options(), local.train(), local.test());
  }

  /** Reads files, encoded by the schema of the first rows of {@code first}. */
  public static StreamData read(
      Source source, ReaderOptions options, List<Path> first, List<Path> files) throws IOException {
    Schema schema = schema(options, first);
    List<FeatureVector> x = new ArrayList<>();
    Targets y = new Targets(source);
    try (RowReader reader = Readers.open(options, files.toArray(Path[]::new))) {
      Row row = new Row();
      RowEncoder encoder = new GrowingSchema(schema).encoder(reader.columns());
      while (reader.next(row)) {
        x.add(encoder.encode(row).copy());
        y.add(row);
      }
    }
    return new StreamData(source.name, source.task, source.ordered, x, y.values());
  }

  /** Labels or numbers of a source's rows, in their order. */
  public static final class Targets {
    private final Source source;
    private final Map<String, Double> names = new HashMap<>();
    private final List<Double> values = new ArrayList<>();

    /** None yet. */
    public Targets(Source source) {
      this.source = source;
    }

    /** Takes the target of a row. */
    public void add(Row row) {
      values.add(target(row));
    }

    private double target(Row row) {
      if (source.task == Task.REGRESSION) {
        return row.labelNumber();
      }
      if (!Double.isNaN(source.late)) {
        return row.labelNumber() > source.late ? 1 : 0;
      }
      String text = row.labelText();
      // Numbers stay themselves, so that training and test rows agree.
      return names.computeIfAbsent(text, t -> number(t, names.size()));
    }

    private static double number(String text, int otherwise) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        return otherwise;
      }
    }

    /** All of them; casp's brought to [0, 1], as the paper has it. */
    public List<Double> values() {
      if (!source.name.equals("casp")) {
        return values;
      }
      double most = values.stream().mapToDouble(v -> v).max().orElse(1);
      return values.stream().map(v -> v / most).toList();
    }
  }

  /** The schema of the first 1000 rows. */
  public static Schema schema(ReaderOptions options, List<Path> files) throws IOException {
    try (RowReader reader = Readers.open(options, files.toArray(Path[]::new))) {
      SchemaFitter fitter =
          new SchemaFitter(reader.columns(), Map.of()).declared(reader.declared());
      Row row = new Row();
      for (int i = 0; i < PREVIEW && reader.next(row); i++) {
        fitter.add(row);
      }
      return fitter.fit();
    }
  }

  /** The rows without those that are equal to one before, in encoded features and target. */
  StreamData distinct() {
    record Same(DoubleBuffer values, @Nullable IntBuffer indices, double y) {}
    Set<Same> seen = new HashSet<>();
    List<Integer> left = new ArrayList<>();
    for (int row = 0; row < size(); row++) {
      FeatureVector v = x.get(row);
      DoubleBuffer values = DoubleBuffer.wrap(v.values(), 0, v.count());
      IntBuffer indices = v.isSparse() ? IntBuffer.wrap(v.indices(), 0, v.count()) : null;
      if (seen.add(new Same(values, indices, y.get(row)))) {
        left.add(row);
      }
    }
    return of(left);
  }

  /** The rows in the order of these features, equal ones as they were; this order is time. */
  StreamData by(int... features) {
    Comparator<Integer> order =
        Comparator.comparing(
            row -> Arrays.stream(features).mapToDouble(x.get(row)::get).toArray(), Arrays::compare);
    StreamData sorted = of(IntStream.range(0, size()).boxed().sorted(order).toList());
    return new StreamData(name, task, true, sorted.x, sorted.y);
  }

  private StreamData of(List<Integer> rows) {
    List<FeatureVector> vectors = rows.stream().map(x::get).toList();
    return new StreamData(name, task, ordered, vectors, rows.stream().map(y::get).toList());
  }

  /** Number of rows. */
  public int size() {
    return x.size();
  }

  /** The order of rows for a seed: a permutation, or their own. */
  public int[] order(long seed) {
    int[] order = new int[size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = order.length - 1; i > 0 && !ordered; i--) {
      int j = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    return order;
  }
}
