// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one model name at one moment. Immutable: a change makes a new object, which
 * replaces the old one in one step.
 *
 * @param name the model's name
 * @param versions the versions that are loaded, in the order in which they supersede each other
 * @param pinned the version that predicts whatever is newer; null for the newest
 * @param refused the newest refusal, null if there was none since the newest load
 * @param discarded versions that were not taken because of their place in the order, newest last
 */
public record Shelf(
    String name,
    NavigableMap<Key, ServedModel> versions,
    @Nullable Key pinned,
    @Nullable Refusal refused,
    List<Discarded> discarded) {
  private static final int SHOWN_DISCARDED = 20;

  /** Versions up to ten times this number follow any other. */
  private static final long SMALL = 100_000;

  private static final long FACTOR = 10;

  /**
   * A version's place: versions of a lineage that took over later supersede all before it.
   *
   * @param turn counts the lineages that were current under this name
   * @param number the version
   */
  public record Key(int turn, long number) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return turn != other.turn
          ? Integer.compare(turn, other.turn)
          : Long.compare(number, other.number);
    }
  }

  /**
   * A version that was not taken.
   *
   * @param source file or topic
   * @param reason why
   */
  public record Refusal(String source, String reason) {}

  /**
   * A version that is valid, or was not read, and is not used.
   *
   * @param version its number
   * @param lineage the line of versions it belongs to, empty if it says none
   * @param source file or topic
   * @param reason why
   */
  public record Discarded(long version, String lineage, String source, String reason) {}

  /** Copies the versions. */
  public Shelf {
    versions = Collections.unmodifiableNavigableMap(new TreeMap<>(versions));
    discarded = List.copyOf(discarded);
  }

  static Shelf empty(String name) {
    return new Shelf(name, new TreeMap<>(), null, null, List.of());
  }

  /** The version that predicts; null while none is loaded. */
  public @Nullable ServedModel current() {
    if (pinned != null) {
      return versions.get(pinned);
    }
    return versions.isEmpty() ? null : versions.lastEntry().getValue();
  }

  /** The newest lineage that is loaded; empty if none is, or none was said. */
  public String lineage() {
    return versions.isEmpty() ? "" : versions.lastEntry().getValue().lineage();
  }

  /** The key of a version, of the newest lineage that has it; null if it is not loaded. */
  public @Nullable Key find(long number) {
    for (Key key : versions.descendingKeySet()) {
      if (key.number == number) {
        return key;
      }
    }
    return null;
  }

  /** A version of a lineage; null if it is not loaded. */
  @Nullable ServedModel find(String lineage, long number) {
    for (ServedModel model : versions.values()) {
      if (model.number() == number && model.lineage().equals(lineage)) {
        return model;
      }
    }
    return null;
  }

  /** Numbers of the versions that are loaded, oldest first. */
  public List<Long> numbers() {
    return versions.keySet().stream().map(Key::number).toList();
  }

  /**
   * Why a version would not be taken: its number is far from the others of its lineage, so that it
   * would outrank all that follow. Null if it fits.
   */
  @Nullable String implausible(String lineage, long number) {
    if (versions.isEmpty() || !lineage().equals(lineage)) {
      return null;
    }
    long highest = versions.lastKey().number;
    return isFar(highest, number)
        ? "version " + number + " is more than ten times the newest, " + highest
        : null;
  }

  /** Whether a number is more than ten times another, and large. */
  static boolean isFar(long lower, long higher) {
    return higher / FACTOR > Math.max(lower, SMALL);
  }

  /** With one version more; of those, at most {@code keep} stay, and always the pinned one. */
  Shelf with(ServedModel model, int keep) {
    TreeMap<Key, ServedModel> more = new TreeMap<>(versions);
    int turn = more.isEmpty() ? 0 : more.lastKey().turn;
    if (!more.isEmpty() && !lineage().equals(model.lineage())) {
      turn++;
    }
    // A single version of an absurd number is replaced by the first other one.
    int mine = turn;
    more.keySet()
        .removeIf(
            key -> key.turn == mine && isFar(model.number(), key.number) && !key.equals(pinned));
    more.put(new Key(turn, model.number()), model);
    for (Key old : List.copyOf(more.keySet())) {
      boolean needed = old.equals(pinned) || old.equals(more.lastKey());
      if (more.size() > keep && !needed) {
        more.remove(old);
      }
    }
    return new Shelf(name, more, pinned, null, discarded);
  }

  Shelf withPin(@Nullable Key version) {
    return new Shelf(name, versions, version, refused, discarded);
  }

  Shelf withRefusal(Refusal refusal) {
    return new Shelf(name, versions, pinned, refusal, discarded);
  }

  Shelf withDiscarded(Discarded one) {
    List<Discarded> all = new ArrayList<>(discarded);
    all.removeIf(one::equals);
    all.add(one);
    int first = Math.max(0, all.size() - SHOWN_DISCARDED);
    return new Shelf(name, versions, pinned, refused, all.subList(first, all.size()));
  }
}
