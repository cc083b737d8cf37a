// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import io.github.avm4j.serve.models.RowPrediction;
import io.github.avm4j.serve.models.ServedModel;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates predictions by their labels: predictions are stored by id, and scored when feedback
 * brings the label.
 *
 * <ol>
 *   <li>A prediction is scored once, for the model that made it.
 *   <li>Memory is bounded: a table of {@link #PLACES} in which a newer prediction replaces an older
 *       one of the same place. A label without a stored prediction is only counted.
 *   <li>No entry refers to a model, so that old versions can be released.
 * </ol>
 *
 * <p>Any thread; remembering is a few reads and one write, without a lock.
 */
public final class FeedbackEvaluation {
  /** Predictions that can wait for their labels. */
  static final int PLACES = 1 << 17;

  private static final int CHOICE = 4;

  private final AtomicReferenceArray<Stored> stored = new AtomicReferenceArray<>(PLACES);
  private final ConcurrentMap<String, FeedbackErrors> errors = new ConcurrentHashMap<>();
  private final LongAdder unmatched = new LongAdder();

  /** A prediction; {@code label} is null for regression. */
  private record Stored(
      String id, String model, @Nullable String label, double value, long when, boolean wanted) {}

  /** Creates an empty table. */
  public FeedbackEvaluation() {}

  /** The first of an id's places; the others are its neighbours. */
  private static int first(String id) {
    int hash = id.hashCode() * 0x9E3779B9;
    return (hash ^ hash >>> 15) & (PLACES - 1) & -CHOICE;
  }

  /**
   * Stores the prediction of {@code model} for the row of that id.
   *
   * @param wanted whether its label was asked for
   */
  public void remember(String id, ServedModel model, RowPrediction prediction, boolean wanted) {
    String label = prediction.winner() < 0 ? null : model.className(prediction.winner());
    long now = System.nanoTime();
    int place = first(id);
    long age = -1;
    for (int k = first(id), end = k + CHOICE; k < end; k++) {
      Stored there = stored.get(k);
      if (there == null || there.id.equals(id)) {
        place = k;
        break;
      }
      if (now - there.when > age) {
        place = k;
        age = now - there.when;
      }
    }
    double score = prediction.score();
    stored.set(place, new Stored(id, model.name(), label, score, now, wanted));
  }

  /**
   * Scores the prediction of that id, if it is still stored.
   *
   * @param text the label's name; null if it is a number
   * @param number the label's value; not used beside a text
   */
  public void judge(String id, @Nullable String text, double number) {
    Stored found = take(id);
    if (found == null) {
      unmatched.increment();
      return;
    }
    double loss = loss(found.label, found.value, text, number);
    if (Double.isNaN(loss)) {
      unmatched.increment();
      return;
    }
    errors
        .computeIfAbsent(found.model, name -> new FeedbackErrors(found.label == null))
        .add(loss, found.wanted);
  }

  private @Nullable Stored take(String id) {
    for (int k = first(id), end = k + CHOICE; k < end; k++) {
      Stored there = stored.get(k);
      if (there != null && there.id.equals(id) && stored.compareAndSet(k, there, null)) {
        return there;
      }
    }
    return null;
  }

  /** 0 or 1 for a class, the finite squared error for a number; NaN if the label is no such. */
  private static double loss(
      @Nullable String label, double value, @Nullable String text, double number) {
    if (label == null) {
      double error = value - (text == null ? number : number(text));
      double square = error * error;
      return square < Double.POSITIVE_INFINITY ? square : Double.NaN;
    }
    boolean right = text == null ? number(label) == number : label.equals(text);
    return right ? 0 : 1;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** The error of a model's predictions; null if none was scored. */
  public @Nullable FeedbackErrors of(String model) {
    return errors.get(model);
  }

  /** Labels without a stored prediction. */
  public long unmatched() {
    return unmatched.sum();
  }
}
