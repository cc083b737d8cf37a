// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model that answers for raw rows: encoding, scaling and expansion in one immutable value.
 * Encoders hold scratch, so each thread takes its own from {@code schema().encoder(columns)}.
 *
 * @param schema from rows to vectors
 * @param target name of the predicted column, empty if unknown
 * @param classNames name of each label by its number; empty for regression
 * @param model from vectors to answers
 */
public record RowModel(Schema schema, String target, List<String> classNames, Model model) {

  /** Checks that every label of the model has a name. */
  public RowModel {
    classNames = List.copyOf(classNames);
    for (int j = 0; j < model.classes(); j++) {
      double label = model.label(j);
      if (label != Math.rint(label) || label < 0 || label >= classNames.size()) {
        throw new IllegalArgumentException(
            "label " + label + " has no name among " + classNames.size());
      }
    }
  }

  /** The model in the bytes of a file, whether of rows or of plain vectors. */
  public static RowModel read(byte[] file) throws InvalidModelException {
    return RowFormat.readModel(file);
  }

  /** The model in a file. */
  public static RowModel read(Path path) throws IOException {
    return read(bytes(path));
  }

  /**
   * The bytes of the file of a model or learner.
   *
   * @throws InvalidModelException if the file is larger than such a file can be
   */
  public static byte[] bytes(Path path) throws IOException {
    return ModelFormat.bytes(path);
  }

  /** This model in the format of docs/format.md. */
  public byte[] toBytes() {
    return RowFormat.write(this);
  }

  /** Core point i in the data's own units: its features that are not 0, by their names. */
  public Map<String, Double> point(int i) {
    FeatureVector point = model.corePoint(i);
    Map<String, Double> features = new LinkedHashMap<>();
    for (int k = 0; k < point.count(); k++) {
      int j = point.isSparse() ? point.indices()[k] : k;
      double value = schema.original(j, model.scaling().invert(j, point.values()[k]));
      if (value != 0) {
        features.put(schema.featureName(j), value);
      }
    }
    return features;
  }

  /**
   * The predicted class of a row given by column name; safe for any number of threads. It makes an
   * encoder per call: where that is too much, keep one per thread from {@code schema()}.
   */
  public String predictClass(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.CLASSIFICATION);
    return name(model.predict(encode(row)));
  }

  /** The predicted number of a row given by column name; see {@link #predictClass}. */
  public double predictNumber(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.REGRESSION);
    return model.predict(encode(row));
  }

  /** The probability of each class, by name; see {@link #predictClass}. */
  public Map<String, Double> probabilities(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.CLASSIFICATION);
    return byName(model, encode(row), classNames);
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
    List<String> columns = NamedCells.names(schema);
    return new NamedCells(columns, schema.encoder(columns)).encode(row);
  }

  private void requireTask(Task task) {
    if (model.task() != task) {
      throw new IllegalStateException("this is a model for " + model.task() + ", not " + task);
    }
  }

  /** An answer as people write it: the class's name, or the number. */
  public String name(double answer) {
    if (model.task() == Task.REGRESSION) {
      return Double.toString(answer);
    }
    return Double.isNaN(answer) ? "?" : classNames.get((int) answer);
  }
}
