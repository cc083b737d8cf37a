// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How good the answers were, now that their labels are known: answers are remembered by id, and
 * judged when feedback brings the label.
 *
 * <ol>
 *   <li>An answer is judged once, under the model that gave it.
 *   <li>Memory is bounded: a table of {@link #PLACES} in which a newer answer displaces an older
 *       one of the same place. A label whose answer is not there judges nothing and is counted.
 *   <li>No entry refers to a model, so that old versions can go.
 * </ol>
 *
 * <p>Any thread; remembering is a few reads and one write, without a lock.
 */
public final class Hindsight {
  /** Answers that can wait for their labels. */
  static final int PLACES = 1 << 17;

  private static final int CHOICE = 4;

  private final AtomicReferenceArray<Given> given = new AtomicReferenceArray<>(PLACES);
  private final ConcurrentMap<String, Verdicts> verdicts = new ConcurrentHashMap<>();
  private final @Nullable Trials trials;
  private final LongAdder unmatched = new LongAdder();

  /** A prediction; {@code label} is null for regression, {@code rival} if no trial was on. */
  private record Given(
      String id,
      String model,
      long version,
      @Nullable String label,
      double value,
      long when,
      @Nullable Rival rival) {}

  /** The other version's prediction for the same row, and whether it is the challenger's. */
  private record Rival(long version, @Nullable String label, double value, boolean challenger) {}

  /** Remembers nothing yet. */
  public Hindsight() {
    this(null);
  }

  /** Remembers nothing yet; {@code trials} is told of rows that two versions predicted. */
  public Hindsight(@Nullable Trials trials) {
    this.trials = trials;
  }

  /** The first of an id's places; the others are its neighbours. */
  private static int first(String id) {
    int hash = id.hashCode() * 0x9E3779B9;
    return (hash ^ hash >>> 15) & (PLACES - 1) & -CHOICE;
  }

  /** Keeps the answer that {@code model} gave to the row of that id. */
  public void remember(String id, ServedModel model, Answer answer) {
    remember(id, model, answer, null);
  }

  /** The same during a trial, with what the other version predicted for the row. */
  public void remember(
      String id,
      ServedModel model,
      Answer answer,
      ServedModel other,
      Answer shadow,
      boolean rival) {
    remember(
        id, model, answer, new Rival(other.number(), label(other, shadow), shadow.score(), rival));
  }

  private static @Nullable String label(ServedModel model, Answer answer) {
    return answer.winner() < 0 ? null : model.className(answer.winner());
  }

  private void remember(String id, ServedModel model, Answer answer, @Nullable Rival rival) {
    String label = label(model, answer);
    long now = System.nanoTime();
    int place = first(id);
    long age = -1;
    for (int k = first(id), end = k + CHOICE; k < end; k++) {
      Given there = given.get(k);
      if (there == null || there.id.equals(id)) {
        place = k;
        break;
      }
      if (now - there.when > age) {
        place = k;
        age = now - there.when;
      }
    }
    given.set(
        place, new Given(id, model.name(), model.number(), label, answer.score(), now, rival));
  }

  /**
   * Judges the answer of that id, if it is still known.
   *
   * @param text the label's name; null if it is a number
   * @param number the label's value; not used beside a text
   */
  public void judge(String id, @Nullable String text, double number) {
    Given answer = take(id);
    if (answer == null) {
      unmatched.increment();
      return;
    }
    double loss = loss(answer.label, answer.value, text, number);
    if (Double.isNaN(loss)) {
      unmatched.increment();
      return;
    }
    verdicts
        .computeIfAbsent(answer.model, name -> new Verdicts(answer.label == null))
        .add(loss, answer.version);
    compare(answer, loss, text, number);
  }

  private void compare(Given answer, double loss, @Nullable String text, double number) {
    Rival rival = answer.rival;
    Trials to = trials;
    if (rival == null || to == null) {
      return;
    }
    double other = loss(rival.label, rival.value, text, number);
    if (rival.challenger) {
      to.judge(answer.model, answer.version, rival.version, loss, other);
    } else {
      to.judge(answer.model, rival.version, answer.version, other, loss);
    }
  }

  private @Nullable Given take(String id) {
    for (int k = first(id), end = k + CHOICE; k < end; k++) {
      Given there = given.get(k);
      if (there != null && there.id.equals(id) && given.compareAndSet(k, there, null)) {
        return there;
      }
    }
    return null;
  }

  /** 0 or 1 for a class, the squared error for a number; NaN if the label is none of the kind. */
  private static double loss(
      @Nullable String label, double value, @Nullable String text, double number) {
    if (label == null) {
      double error = value - (text == null ? number : number(text));
      return error * error;
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

  /** What became of a model's answers; null if none was judged. */
  public @Nullable Verdicts of(String model) {
    return verdicts.get(model);
  }

  /** Labels that met no answer. */
  public long unmatched() {
    return unmatched.sum();
  }
}
