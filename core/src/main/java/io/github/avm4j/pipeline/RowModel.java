// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A model that predicts raw rows: their schema and a model of its vectors, immutable. Encoders hold
 * scratch, so each thread takes its own from {@code schema().encoder(columns)}.
 *
 * @param schema from rows to vectors
 * @param target name of the predicted column, empty if unknown
 * @param classNames name of each label by its number; empty for regression
 * @param model predicts from vectors
 * @param unusable what happens to cells of maps that cannot be used
 */
public record RowModel(
    Schema schema, String target, List<String> classNames, Model model, UnusableCells unusable) {

  /**
   * A model that refuses rows with cells that cannot be used ({@link UnusableCells}).
   *
   * @param schema from rows to vectors
   * @param target name of the predicted column, empty if unknown
   * @param classNames name of each label by its number; empty for regression
   * @param model predicts from vectors
   */
  public RowModel(Schema schema, String target, List<String> classNames, Model model) {
    this(schema, target, classNames, model, UnusableCells.refused());
  }

  /**
   * Checks that every label of the model has a name.
   *
   * @param schema from rows to vectors
   * @param target name of the predicted column, empty if unknown
   * @param classNames name of each label by its number; empty for regression
   * @param model predicts from vectors
   * @param unusable what happens to cells of maps that cannot be used
   */
  public RowModel {
    classNames = List.copyOf(classNames);
    for (int j = 0; j < model.classes(); j++) {
      double label = model.label(j);
      if (label != Math.rint(label) || label < 0 || label >= classNames.size()) {
        throw new IllegalArgumentException(
            "label %s has no name among the %d of classNames".formatted(label, classNames.size()));
      }
    }
  }

  /**
   * {@return the model in the bytes of a file, whether of rows or of plain vectors}
   *
   * @param file bytes of a saved file
   * @throws InvalidModelException if the bytes are not such a file
   */
  public static RowModel read(byte[] file) throws InvalidModelException {
    return RowFormat.readModel(file);
  }

  /**
   * {@return the model in a file, or of the parts beside it that the file lists}
   *
   * @param path the file
   * @throws IOException if reading fails
   * @throws InvalidModelException if it is not a model, or a part is not there
   */
  public static RowModel read(Path path) throws IOException {
    byte[] file = bytes(path);
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !CellManifest.isManifest(file)) {
      return read(file);
    }
    CellAssembly<Path> assembly = new CellAssembly<>(Long.MAX_VALUE);
    assembly.manifest(CellManifest.read(file), path);
    assembly.fillFrom(folder);
    CellAssembly.Assembled<Path> made = assembly.take();
    if (made == null) {
      throw new InvalidModelException(
          "the model lacks " + assembly.missing() + " that " + path + " lists: copy them again");
    }
    return made.rows();
  }

  /**
   * {@return the bytes of the file of a model or learner}
   *
   * @param path the file
   * @throws IOException if reading fails
   * @throws InvalidModelException if the file is larger than such a file can be
   */
  public static byte[] bytes(Path path) throws IOException {
    return ModelFormat.bytes(path);
  }

  /**
   * Saves the model; the file appears whole or not at all.
   *
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public void save(Path path) throws IOException {
    DurableFile.write(toBytes(), path);
  }

  /** {@return this model in the format of docs/format.md} */
  public byte[] toBytes() {
    return RowFormat.write(this);
  }

  /**
   * {@return a vector before scaling in the units of the data: its features that are not 0, by
   * name}
   *
   * @param point a vector before scaling
   */
  public Map<String, Double> point(FeatureVector point) {
    return point(schema, point);
  }

  static Map<String, Double> point(Schema schema, FeatureVector point) {
    Map<String, Double> features = new LinkedHashMap<>();
    for (int k = 0; k < point.count(); k++) {
      int j = point.isSparse() ? point.indices()[k] : k;
      double value = schema.original(j, point.values()[k]);
      if (value != 0) {
        features.put(schema.featureName(j), value);
      }
    }
    return features;
  }

  /** {@return the same model for rows that others make: it counts cells that cannot be used} */
  public RowModel lenient() {
    return new RowModel(schema, target, classNames, model, UnusableCells.counted());
  }

  /**
   * {@return the predicted class of a row given by column name, empty if nothing was learned; safe
   * for any number of threads} It makes an encoder per call: where that is too much, keep one per
   * thread from {@code schema()}.
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @throws IllegalArgumentException if a cell cannot be used ({@link UnusableCells}), unless this
   *     is {@link #lenient}
   */
  public Optional<String> predictClass(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.CLASSIFICATION);
    return named(model.predict(encode(row)));
  }

  private Optional<String> named(double label) {
    return Double.isNaN(label) ? Optional.empty() : Optional.of(classNames.get((int) label));
  }

  /**
   * {@return the predicted class of each row; see {@link #predictClass}} One encoder serves all.
   *
   * @param rows values by column name: numbers, texts, dates, or null
   */
  public List<Optional<String>> predictClasses(
      List<? extends Map<String, ? extends @Nullable Object>> rows) {
    requireTask(Task.CLASSIFICATION);
    NamedCells cells = cells();
    return rows.stream().map(row -> named(model.predict(cells.encode(row)))).toList();
  }

  /**
   * {@return the predicted number of each row; see {@link #predictClass}} One encoder serves all.
   *
   * @param rows values by column name: numbers, texts, dates, or null
   */
  public double[] predictNumbers(List<? extends Map<String, ? extends @Nullable Object>> rows) {
    requireTask(Task.REGRESSION);
    NamedCells cells = cells();
    return rows.stream().mapToDouble(row -> model.predict(cells.encode(row))).toArray();
  }

  /**
   * {@return the core points that explain the prediction for a row} Its examples are vectors before
   * scaling: {@link #point(FeatureVector)} names their features.
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @param most how many core points are listed
   */
  public Explanation explain(Map<String, ? extends @Nullable Object> row, int most) {
    return Explanation.of(model, encode(row), most);
  }

  /**
   * {@return the predicted number of a row given by column name; see {@link #predictClass}}
   *
   * @param row values by column name: numbers, texts, dates, or null
   */
  public double predictNumber(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.REGRESSION);
    return model.predict(encode(row));
  }

  /**
   * {@return the probability of each class, by name; see {@link #predictClass}}
   *
   * @param row values by column name: numbers, texts, dates, or null
   */
  public Map<String, Double> probabilities(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.CLASSIFICATION);
    return byName(model, encode(row), classNames);
  }

  /**
   * {@return an interval that holds the target of a row with a given probability; see {@link
   * #predictClass}}
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @param level the share of rows whose target it is to hold, one of the levels that the learner
   *     was built with
   * @throws IllegalArgumentException if there is no such level
   */
  public Interval interval(Map<String, ? extends @Nullable Object> row, double level) {
    requireTask(Task.REGRESSION);
    return model.interval(encode(row), level);
  }

  /**
   * {@return the classes that hold that of a row with a given probability; the predicted one is
   * always among them}
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @param level the share of rows whose class it is to hold, one of the levels that the learner
   *     was built with
   * @throws IllegalArgumentException if there is no such level
   */
  public List<String> predictionSet(Map<String, ? extends @Nullable Object> row, double level) {
    requireTask(Task.CLASSIFICATION);
    double[] set = model.predictionSet(encode(row), level);
    return Arrays.stream(set).mapToObj(this::name).toList();
  }

  static Map<String, Double> byName(Predictor predictor, FeatureVector x, List<String> names) {
    double[] probabilities = new double[predictor.classes()];
    predictor.probabilities(x, probabilities);
    Map<String, Double> byName = new LinkedHashMap<>();
    for (int j = 0; j < probabilities.length; j++) {
      byName.put(names.get((int) predictor.label(j)), probabilities[j]);
    }
    return byName;
  }

  private FeatureVector encode(Map<String, ? extends @Nullable Object> row) {
    return cells().encode(row);
  }

  private NamedCells cells() {
    return new NamedCells(schema, target, unusable, schema::encoder);
  }

  static String describe(Schema schema, List<String> classes) {
    int columns = schema.columns().size();
    String rows = schema.isNumbered() ? "numbered features" : columns + " columns";
    int count = classes.size();
    return ", "
        + rows
        + (count == 0 ? "" : count <= 10 ? ", classes " + classes : ", " + count + " classes");
  }

  private void requireTask(Task task) {
    requireTask(task, model.task(), "model");
  }

  static void requireTask(Task asked, Task own, String what) {
    if (asked != own) {
      throw new IllegalStateException(
          "this "
              + what
              + (own == Task.CLASSIFICATION
                  ? " predicts classes: call predictClass, probabilities or predictionSet"
                  : " predicts numbers: call predictNumber or interval"));
    }
  }

  /**
   * {@return a prediction as text: the name of the class, or the number}
   *
   * @param prediction a label of the model, or a number
   */
  public String name(double prediction) {
    if (model.task() == Task.REGRESSION) {
      return Double.toString(prediction);
    }
    return Double.isNaN(prediction) ? "?" : classNames.get((int) prediction);
  }

  @Override
  public String toString() {
    return model + describe(schema, classNames);
  }
}
