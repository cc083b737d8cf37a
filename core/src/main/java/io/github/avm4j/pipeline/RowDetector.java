// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A detector of anomalies in raw rows: a schema and the detector of its vectors. {@code avm detect
 * --save} writes it, {@code avm serve} reads it. For one thread at a time, as the detector is.
 *
 * @param schema from rows to vectors; numbered for a detector of plain vectors
 * @param detector judges the vectors
 * @param unusable what happens to cells of maps that cannot be used
 */
public record RowDetector(Schema schema, Detector detector, UnusableCells unusable) {
  /**
   * A detector that refuses rows with cells that cannot be used ({@link UnusableCells}).
   *
   * @param schema from rows to vectors; numbered for a detector of plain vectors
   * @param detector judges the vectors
   * @throws IllegalArgumentException if the detector has another number of features
   */
  public RowDetector(Schema schema, Detector detector) {
    this(schema, detector, UnusableCells.refused());
  }

  /**
   * Checks that schema and detector have the same features.
   *
   * @param schema from rows to vectors; numbered for a detector of plain vectors
   * @param detector judges the vectors
   * @param unusable what happens to cells of maps that cannot be used
   * @throws IllegalArgumentException if the detector has another number of features
   */
  public RowDetector {
    int features = detector.features();
    if (!schema.isNumbered() && features != 0 && features != schema.dimension()) {
      throw new IllegalArgumentException(
          "the detector has %d features, its schema %d".formatted(features, schema.dimension()));
    }
  }

  /**
   * {@return whether bytes are of a detector's file, by the headers of its sections alone; {@link
   * #read} checks the rest}
   *
   * @param file bytes of a saved file
   */
  public static boolean isDetector(byte[] file) {
    return Sections.has(file, Sections.DETECTOR);
  }

  /**
   * {@return the detector in the bytes of a file, whether of rows or of plain vectors}
   *
   * @param file bytes of a saved file
   * @throws InvalidModelException if the bytes are not such a file
   */
  public static RowDetector read(byte[] file) throws InvalidModelException {
    return RowFormat.readDetector(file);
  }

  /** {@return the same detector for rows that others make: it counts cells that cannot be used} */
  public RowDetector lenient() {
    return new RowDetector(schema, detector, UnusableCells.counted());
  }

  /**
   * {@return the p-value of a row by what was learned, in (0, 1]; it learns nothing: {@link
   * Detector#pValue(FeatureVector)}}
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @throws IllegalArgumentException if a cell cannot be used ({@link UnusableCells}), unless this
   *     is {@link #lenient}
   */
  public double detect(Map<String, ? extends @Nullable Object> row) {
    return detector.pValue(encode(row));
  }

  /**
   * The p-value of a row by what was learned before; then the row is learned: {@link
   * Detector#detectThenLearn(FeatureVector)}.
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @return the p-value, in (0, 1]; small for anomalies, see {@link Detector#isAlarm}
   * @throws IllegalArgumentException if a cell cannot be used ({@link UnusableCells}), unless this
   *     is {@link #lenient}
   */
  public double detectThenLearn(Map<String, ? extends @Nullable Object> row) {
    return detector.detectThenLearn(encode(row));
  }

  private FeatureVector encode(Map<String, ? extends @Nullable Object> row) {
    return new NamedCells(schema, "", unusable, schema::encoder).encode(row);
  }

  /**
   * {@return the detector in a file, to go on as if it had never stopped}
   *
   * @param path the file
   * @throws IOException if the file cannot be read
   * @throws InvalidModelException if it is not a detector's
   */
  public static RowDetector read(Path path) throws IOException {
    return read(RowModel.bytes(path));
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

  /** {@return all state as the bytes of a file; {@link Detector#fromBytes} reads it too} */
  public byte[] toBytes() {
    return RowFormat.write(this);
  }

  /**
   * {@return a vector in the units of the data: its features that are not 0, by name}
   *
   * @param point a vector of the detector, such as a core point
   */
  public Map<String, Double> point(FeatureVector point) {
    return RowModel.point(schema, point);
  }

  @Override
  public String toString() {
    return detector + RowModel.describe(schema, List.of());
  }
}
