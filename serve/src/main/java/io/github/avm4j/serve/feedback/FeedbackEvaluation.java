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
 *   <li>Each caller has half of the table at most: from there on its predictions replace its own,
 *       and those of others wait for their labels undisturbed.
 *   <li>No entry refers to a model, so that old versions can be released.
 * </ol>
 *
 * <p>Any thread; remembering is a few reads and one write, without a lock.
 */
public final class FeedbackEvaluation {
  /** Predictions that can wait for their labels. */
  static final int PLACES = 1 << 17;

  /** Places that an id may take, and how many of them one caller. */
  private static final int CHOICE = 8;

  private static final int SHARE = CHOICE / 2;

  private final AtomicReferenceArray<Stored> stored = new AtomicReferenceArray<>(PLACES);
  private final ConcurrentMap<String, FeedbackErrors> errors = new ConcurrentHashMap<>();
  private final LongAdder unmatched = new LongAdder();

  /** A prediction; {@code label} is null for regression. */
  private record Stored(
      String id,
      String caller,
      String model,
      @Nullable String label,
      double value,
      long when,
      boolean wanted) {}

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
   * @param id that no other prediction has
   * @param caller who asked for it
   * @param wanted whether its label was asked for
   */
  public void remember(
      String id, String caller, ServedModel model, RowPrediction prediction, boolean wanted) {
    String label = prediction.winner() < 0 ? null : model.className(prediction.winner());
    long now = System.nanoTime();
    double score = prediction.score();
    Stored mine = new Stored(id, caller, model.name(), label, score, now, wanted);
    stored.set(place(first(id), caller, now), mine);
  }

  /** A free place, else the oldest; the caller's own oldest where it has its share. */
  private int place(int first, String caller, long now) {
    int free = -1;
    int oldest = -1;
    int oldestOwn = -1;
    int own = 0;
    for (int k = first; k < first + CHOICE; k++) {
      Stored there = stored.get(k);
      if (there == null) {
        free = k;
        continue;
      }
      long age = now - there.when;
      oldest = isOlder(age, oldest, now) ? k : oldest;
      if (there.caller.equals(caller)) {
        own++;
        oldestOwn = isOlder(age, oldestOwn, now) ? k : oldestOwn;
      }
    }
    return own >= SHARE ? oldestOwn : free >= 0 ? free : oldest;
  }

  private boolean isOlder(long age, int than, long now) {
    Stored other = than < 0 ? null : stored.get(than);
    return other == null || age > now - other.when;
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
