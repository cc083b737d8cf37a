// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A learner whose labels come later: a row is predicted now, and learned when its label is there.
 *
 * <pre>{@code
 * WaitingRows waiting = new WaitingRows(64 << 20, Duration.ofHours(1), Clock.systemUTC());
 * Pending pending = new Pending(learner, waiting);
 * String id = pending.predict(Map.of("age", 41, "city", "Oslo"));
 * Optional<String> predicted = pending.predictedClass();
 * pending.label(id, "yes"); // hours later: learns that row
 * }</pre>
 *
 * <p>The rules are those of a Flink job's {@code labels}: a label that comes later than {@code
 * within}, a second time, or for no row is refused and counted, and a row without a label in time
 * is dropped and counted, or learned with a label by default (no click means "no"). Rows are
 * learned in the order of their labels.
 *
 * <p>For one thread at a time, as its learner; its {@link #waiting} rows are for any.
 */
public final class Pending {
  private final RowLearner learner;
  private final WaitingRows waiting;
  private final @Nullable Object byDefault;
  private @Nullable Object predicted;

  /**
   * Drops rows without a label in time.
   *
   * @param learner learns the rows
   * @param waiting holds them meanwhile
   */
  public Pending(RowLearner learner, WaitingRows waiting) {
    this(learner, waiting, null);
  }

  /**
   * Learns rows without a label in time as if they had one.
   *
   * @param learner learns the rows
   * @param waiting holds them meanwhile
   * @param byDefault the label that they get; null to drop them
   * @throws IllegalArgumentException if the learner cannot learn that label
   */
  public Pending(RowLearner learner, WaitingRows waiting, @Nullable Object byDefault) {
    if (byDefault != null) {
      learner.checkTarget(byDefault);
    }
    this.learner = learner;
    this.waiting = waiting;
    this.byDefault = byDefault;
  }

  /**
   * Predicts a row, which waits for its label from now on.
   *
   * @param row values by column name: numbers, texts, dates, or null
   * @return the id to label it by
   * @throws IllegalArgumentException if a cell cannot be used and the learner is not {@link
   *     RowLearner#lenient}, a value is an object or a list, or the row is too large to wait
   */
  public String predict(Map<String, ? extends @Nullable Object> row) {
    expire();
    predicted = learner.prediction(row);
    return waiting.add(row);
  }

  /** {@return the class that was predicted last; empty if nothing had been learned} */
  public Optional<String> predictedClass() {
    return predicted instanceof String name ? Optional.of(name) : Optional.empty();
  }

  /** {@return the number that was predicted last; NaN before the first} */
  public double predictedNumber() {
    return predicted instanceof Double number ? number : Double.NaN;
  }

  /**
   * Learns the row of an id.
   *
   * @param id what {@link #predict} gave
   * @param target the name of the class, or a number for regression
   * @throws NoSuchElementException if no row of this id waits (any more)
   * @throws IllegalStateException if the row has been learned
   * @throws IllegalArgumentException if the target cannot be learned; the row goes on waiting
   */
  public void label(String id, Object target) {
    expire();
    learner.checkTarget(target);
    learner.learn(waiting.take(id), target);
  }

  /**
   * Drops rows whose time has passed, or learns them with the label by default. Every call of
   * another method does so; where calls are rare, a timer may.
   *
   * @return how many they were
   */
  public int expire() {
    int count = 0;
    for (WaitingRows.Waited expired : waiting.expire()) {
      if (byDefault != null) {
        learner.learn(expired.row(), byDefault);
      }
      count++;
    }
    return count;
  }

  /** {@return the learner} */
  public RowLearner learner() {
    return learner;
  }

  /** {@return the rows that wait} */
  public WaitingRows waiting() {
    return waiting;
  }

  /** {@return all state as the bytes of a file, which is also a learner's and a model's} */
  public byte[] toBytes() {
    return Sections.append(learner.toBytes(), Sections.WAITING, waiting.toBytes());
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
   * {@return what was saved, to go on as if it had never stopped; of a learner's file, with no row
   * that waits}
   *
   * @param file bytes of a saved file
   * @param waiting gets the rows that wait; empty so far
   * @param byDefault the label of rows without one in time; null to drop them
   * @throws InvalidModelException if the bytes are not such a file
   */
  public static Pending read(byte[] file, WaitingRows waiting, @Nullable Object byDefault)
      throws InvalidModelException {
    RowLearner learner = RowLearner.read(file);
    ByteReader rows = Sections.read(file).get(Sections.WAITING);
    if (rows != null) {
      waiting.fill(rows);
    }
    return new Pending(learner, waiting, byDefault);
  }
}
