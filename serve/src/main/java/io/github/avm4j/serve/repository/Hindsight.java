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
  private final LongAdder unmatched = new LongAdder();

  /** An answer; {@code label} is null for regression. */
  private record Given(
      String id, String model, long version, @Nullable String label, double value, long when) {}

  /** Remembers nothing yet. */
  public Hindsight() {}

  /** The first of an id's places; the others are its neighbours. */
  private static int first(String id) {
    int hash = id.hashCode() * 0x9E3779B9;
    return (hash ^ hash >>> 15) & (PLACES - 1) & -CHOICE;
  }

  /** Keeps the answer that {@code model} gave to the row of that id. */
  public void remember(String id, ServedModel model, Answer answer) {
    String label = answer.winner() < 0 ? null : model.className(answer.winner());
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
    given.set(place, new Given(id, model.name(), model.number(), label, answer.score(), now));
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
    double loss = loss(answer, text, number);
    if (Double.isNaN(loss)) {
      unmatched.increment();
      return;
    }
    verdicts
        .computeIfAbsent(answer.model, name -> new Verdicts(answer.label == null))
        .add(loss, answer.version);
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
  private static double loss(Given answer, @Nullable String text, double number) {
    if (answer.label == null) {
      double error = answer.value - (text == null ? number : number(text));
      return error * error;
    }
    boolean right = text == null ? number(answer.label) == number : answer.label.equals(text);
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
