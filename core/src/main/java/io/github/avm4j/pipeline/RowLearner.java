// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.GrowingSchema;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Learns from rows with named columns: a schema, the names of the classes seen, and a learner of
 * vectors.
 *
 * <pre>{@code
 * Schema schema = Schema.builder().number("age").category("city").build();
 * RowLearner learner = RowLearner.classifier(schema).build();
 * learner.learn(Map.of("age", 41, "city", "Oslo"), "yes");
 * learner.learn(Map.of("age", 19, "city", "Lima"), "no");
 * String predicted = learner.predictClass(Map.of("age", 39, "city", "Oslo")).orElseThrow();
 * RowModel model = learner.snapshot(); // immutable, for other threads
 * }</pre>
 *
 * <p>{@link io.github.avm4j.feature.SchemaFitter} infers a schema from rows. Readers of files and
 * topics use {@link #encoder} and {@link #target}, which allocate nothing for numbers.
 *
 * <p>For one thread at a time; other threads predict with a {@link #snapshot}.
 */
public final class RowLearner {
  private final GrowingSchema schema;
  private final String targetName;
  private final ClassNames names;
  private final Learner learner;
  private final CellReader reader;
  private final Row label = new Row();
  private UnusableCells unusable = UnusableCells.refused();
  private @Nullable NamedCells toLearn;
  private @Nullable NamedCells toPredict;

  /**
   * {@return a builder for a classifier of rows; every setting is optional}
   *
   * @param schema columns of the rows
   */
  public static AutoConfig.Builder<RowLearner> classifier(Schema schema) {
    return builder(Task.CLASSIFICATION, schema);
  }

  /**
   * {@return a builder for a regressor of rows; every setting is optional}
   *
   * @param schema columns of the rows
   */
  public static AutoConfig.Builder<RowLearner> regressor(Schema schema) {
    return builder(Task.REGRESSION, schema);
  }

  private static AutoConfig.Builder<RowLearner> builder(Task task, Schema schema) {
    return new AutoConfig.Builder<>(
        task, config -> new RowLearner(schema, "", new AutoLearner(config)));
  }

  /**
   * For a stream of that schema; {@code targetName} is for people, empty if unknown.
   *
   * @param schema columns of the rows
   * @param targetName name of the predicted column; empty if unknown
   * @param learner the learner of encoded rows; it must have learned nothing or been read with them
   */
  public RowLearner(Schema schema, String targetName, Learner learner) {
    this(schema, targetName, new ClassNames(List.of()), learner);
  }

  RowLearner(Schema schema, String targetName, ClassNames names, Learner learner) {
    this.schema = new GrowingSchema(schema, learner::instances);
    this.reader = schema.cells();
    this.targetName = targetName;
    this.names = names;
    this.learner = learner;
  }

  /**
   * {@return the schema, with the values of categorical columns and the means of numbers and dates
   * learned so far}
   */
  public Schema schema() {
    return schema.schema();
  }

  /**
   * {@return an encoder for rows to learn from} A row adds to the schema once the learner has
   * learned from it, before the next one is encoded: new values of categorical columns get
   * features, numbers and dates enter the means that stand for missing ones.
   *
   * @param columns column names of the rows, in the order of their cells
   */
  public RowEncoder encoder(List<String> columns) {
    return schema.encoder(columns);
  }

  /**
   * {@return an encoder for rows to predict only; it knows what was learned before each row}
   *
   * @param columns column names of the rows, in the order of their cells
   */
  public RowEncoder reader(List<String> columns) {
    return schema.reader(columns);
  }

  /**
   * Counts the row encoded last as learned from, as far as the schema goes: for callers that keep
   * vectors of {@link #encoder} to learn from them later.
   */
  public void take() {
    schema.take();
  }

  /** {@return the name of the predicted column, empty if unknown} */
  public String targetName() {
    return targetName;
  }

  /**
   * {@return this learner behind a schema that is {@link Schema#closed}, for parallel streams,
   * which cannot share new categories}
   */
  public RowLearner closed() {
    return new RowLearner(schema().closed(), targetName, names, learner);
  }

  /**
   * Counts cells of maps that cannot be used from now on, by column, and takes them as missing: for
   * rows that others make. By default such a row is refused ({@link UnusableCells}).
   *
   * @return this learner
   */
  public RowLearner lenient() {
    unusable = UnusableCells.counted();
    toLearn = null;
    toPredict = null;
    return this;
  }

  /**
   * {@return what happens to cells of maps that cannot be used, and how many were counted; a row
   * that is predicted and then learned counts twice}
   */
  public UnusableCells unusable() {
    return unusable;
  }

  /**
   * {@return how many values lay so far outside of what was learned before that they were cut or
   * taken as missing when their rows were learned ({@link AutoLearner#bounds}); by column, for
   * those that have any. Other learners count none}
   */
  public Map<String, Long> beyond() {
    Map<String, Long> counts = new TreeMap<>();
    if (learner instanceof AutoLearner auto) {
      Bounds bounds = auto.bounds();
      int j = 0;
      for (Column column : schema().columns()) {
        for (int end = j + column.width(); j < end; j++) {
          if (bounds.cut(j) > 0) {
            counts.merge(column.name(), bounds.cut(j), Long::sum);
          }
        }
      }
    }
    return counts;
  }

  /** {@return the classes seen so far} */
  public ClassNames names() {
    return names;
  }

  /** Ends the stream, at least for now: {@link AutoLearner#finish()}. Other learners do nothing. */
  public void finish() {
    if (learner instanceof AutoLearner auto) {
      auto.finish();
    }
  }

  /** {@return the learner of encoded rows} */
  public Learner learner() {
    return learner;
  }

  /**
   * The label or number of {@code row} as the learner takes it; a new class gets a name.
   *
   * @param row the row
   * @return the label or target
   * @throws IllegalArgumentException if it is missing, or text where a number is to be learned
   */
  public double target(Row row) {
    double label = label(row);
    if (learner.task() == Task.CLASSIFICATION) {
      names.add(row.labelText());
    }
    return label;
  }

  /** The same for a class without a name yet, which gets none. */
  private double label(Row row) {
    if (row.labelKind() == Row.Kind.MISSING) {
      throw new IllegalArgumentException("the row has no label");
    }
    if (learner.task() == Task.CLASSIFICATION) {
      int known = names.indexOf(row.labelText());
      return known < 0 ? names.size() : known;
    }
    double number = row.labelAsNumber();
    if (Double.isNaN(number)) {
      throw new IllegalArgumentException(
          "the label '" + row.labelText() + "' is not a number (is this a classification task?)");
    }
    return number;
  }

  /**
   * Learns from one row. Absent and null cells are missing; the row may have the target's column,
   * which is ignored. A row that is refused leaves nothing behind.
   *
   * @param row values by column name: numbers, texts, dates
   * @param target the name of the class, a text, a whole number or a Boolean; for regression a
   *     finite number, also as text
   * @throws IllegalArgumentException if the target is none of these or means missing ({@link
   *     Schema#cells}), or a cell cannot be used ({@link UnusableCells}) and this is not {@link
   *     #lenient}
   */
  public void learn(Map<String, ? extends @Nullable Object> row, Object target) {
    learn(row, target, 1);
  }

  /**
   * Learns from one row that counts as {@code weight} rows; see {@link #learn(Map, Object)}.
   *
   * @param row values by column name: numbers, texts, dates
   * @param target the name of the class, or a number for regression
   * @param weight ≥ 0
   * @throws IllegalArgumentException if the target or the weight cannot be learned
   */
  public void learn(Map<String, ? extends @Nullable Object> row, Object target, double weight) {
    NamedCells cells = cells(row, target);
    learner.learn(cells.features(), label(cells.row()), weight);
    learned(cells.row(), weight);
  }

  private double predictThenLearn(Map<String, ? extends @Nullable Object> row, Object target) {
    NamedCells cells = cells(row, target);
    double prediction = learner.predictThenLearn(cells.features(), label(cells.row()), 1);
    learned(cells.row(), 1);
    return prediction;
  }

  /** The class of a row that was learned from has a name from now on. */
  private void learned(Row row, double weight) {
    if (weight > 0 && learner.task() == Task.CLASSIFICATION) {
      names.add(row.labelText());
    }
  }

  private NamedCells cells(Map<String, ? extends @Nullable Object> row, Object target) {
    checkTarget(target);
    NamedCells cells = toLearn;
    if (cells == null) {
      cells = new NamedCells(schema(), targetName, unusable, this::encoder);
      toLearn = cells;
    }
    cells.encode(row);
    cells.row().setLabel(target);
    return cells;
  }

  /**
   * {@return the class predicted for a row before it was learned from; empty for the first one}
   *
   * @param row values by column name: numbers, texts, dates
   * @param target the name of the class
   * @throws IllegalArgumentException if the target cannot be learned
   */
  public Optional<String> predictClassThenLearn(
      Map<String, ? extends @Nullable Object> row, Object target) {
    requireTask(Task.CLASSIFICATION);
    return named(predictThenLearn(row, target));
  }

  /**
   * {@return the number predicted for a row before it was learned from}
   *
   * @param row values by column name: numbers, texts, dates
   * @param target the number to learn
   */
  public double predictNumberThenLearn(Map<String, ? extends @Nullable Object> row, double target) {
    requireTask(Task.REGRESSION);
    return predictThenLearn(row, target);
  }

  void checkTarget(@Nullable Object target) {
    boolean classes = learner.task() == Task.CLASSIFICATION;
    boolean text = target instanceof CharSequence name && !name.isEmpty();
    double number = target instanceof Number value ? value.doubleValue() : Double.NaN;
    boolean fits =
        classes
            ? text
                || target instanceof Boolean
                || (Double.isFinite(number) && number == Math.rint(number))
            : Double.isFinite(number) || (text && isNumber(target));
    if (!fits) {
      throw new IllegalArgumentException(
          "the target must be %s, was %s; %s"
              .formatted(
                  classes ? "the name of a class" : "a finite number",
                  target == null || target.equals("")
                      ? "missing"
                      : "%s (%s)".formatted(target, target.getClass().getSimpleName()),
                  instead(target)));
    }
    label.setLabel(target);
    reader.readLabel(label);
    if (label.labelKind() == Row.Kind.MISSING) {
      throw new IllegalArgumentException(
          "the target '%s' means missing; Schema.builder().cells(…) sets the words that do"
              .formatted(target));
    }
  }

  private boolean isNumber(@Nullable Object target) {
    label.setLabel(target);
    return !Double.isNaN(label.labelAsNumber());
  }

  /** The call to make with a target that cannot be learned. */
  private String instead(@Nullable Object target) {
    boolean classes = learner.task() == Task.CLASSIFICATION;
    boolean number = target instanceof Number;
    boolean finite = target instanceof Number value && Double.isFinite(value.doubleValue());
    if (target == null || target.equals("") || (number && !finite)) {
      String call = classes ? "predictClass" : "predictNumber";
      return "a row without a target can only be predicted: call " + call + "(row)";
    }
    if (classes) {
      return number
          ? "use RowLearner.regressor(schema)"
          : "call learn(row, name) with a text, a whole number or a Boolean";
    }
    return target instanceof CharSequence || target instanceof Boolean
        ? "use RowLearner.classifier(schema)"
        : "call learn(row, number) with a number";
  }

  /**
   * {@return the predicted class of a row; empty before anything was learned}
   *
   * @param row values by column name: numbers, texts, dates, or null
   */
  public Optional<String> predictClass(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.CLASSIFICATION);
    return named(learner.predict(encode(row)));
  }

  /** The name of the predicted class, null before anything was learned; or the number. */
  @Nullable Object prediction(Map<String, ? extends @Nullable Object> row) {
    double value = learner.predict(encode(row));
    return learner.task() == Task.REGRESSION ? (Object) value : named(value).orElse(null);
  }

  private Optional<String> named(double label) {
    return Double.isNaN(label) ? Optional.empty() : Optional.of(names.nameOf(label));
  }

  /**
   * {@return the predicted number of a row}
   *
   * @param row values by column name: numbers, texts, dates, or null
   */
  public double predictNumber(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.REGRESSION);
    return learner.predict(encode(row));
  }

  /**
   * {@return the probability of each class seen so far, by name}
   *
   * @param row values by column name: numbers, texts, dates, or null
   */
  public Map<String, Double> probabilities(Map<String, ? extends @Nullable Object> row) {
    requireTask(Task.CLASSIFICATION);
    return RowModel.byName(learner, encode(row), names.toList());
  }

  /**
   * {@return an interval that holds the target of a row with a given probability}
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @param level the share of rows whose target it is to hold, one of the levels that the learner
   *     was built with
   * @throws IllegalArgumentException if there is no such level
   */
  public Interval interval(Map<String, ? extends @Nullable Object> row, double level) {
    requireTask(Task.REGRESSION);
    return learner.interval(encode(row), level);
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
    double[] set = learner.predictionSet(encode(row), level);
    return Arrays.stream(set).mapToObj(names::nameOf).toList();
  }

  private FeatureVector encode(Map<String, ? extends @Nullable Object> row) {
    NamedCells cells = toPredict;
    if (cells == null) {
      cells = new NamedCells(schema(), targetName, unusable, this::reader);
      toPredict = cells;
    }
    return cells.encode(row);
  }

  private void requireTask(Task task) {
    RowModel.requireTask(task, learner.task(), "learner");
  }

  /**
   * {@return the core points that explain the prediction for a row}; see {@link RowModel#explain}
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @param most how many core points are listed
   */
  public Explanation explain(Map<String, ? extends @Nullable Object> row, int most) {
    return Explanation.of(learner.snapshot(), encode(row), most);
  }

  /** {@return an immutable copy of what was learned; of a lenient learner, a lenient one} */
  public RowModel snapshot() {
    RowModel model = new RowModel(schema(), targetName, names.toList(), learner.snapshot());
    return unusable.isCounted() ? model.lenient() : model;
  }

  /** {@return all state as the bytes of a file, which is also a model's} */
  public byte[] toBytes() {
    return RowFormat.write(this);
  }

  /**
   * Saves all state; the file appears whole or not at all.
   *
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public void save(Path path) throws IOException {
    DurableFile.write(toBytes(), path);
  }

  /**
   * {@return the learner in a file of {@link #save}, to go on as if it had never stopped}
   *
   * @param path the file
   * @throws IOException if the file cannot be read
   * @throws InvalidModelException if it is not a learner's
   */
  public static RowLearner read(Path path) throws IOException {
    return read(RowModel.bytes(path));
  }

  /**
   * {@return the learner in the bytes of {@link #toBytes}, to go on as if it had never stopped}
   *
   * @param file bytes of a saved file
   * @throws InvalidModelException if the bytes are not such a file
   */
  public static RowLearner read(byte[] file) throws InvalidModelException {
    return RowFormat.readLearner(file);
  }

  @Override
  public String toString() {
    return learner + RowModel.describe(schema(), names.toList());
  }
}
