// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that is known under one name, as of one moment. Immutable: a change makes a new shelf, which
 * replaces the old one in one step.
 *
 * @param name the model's name
 * @param versions the versions that are loaded
 * @param pinned the version that answers whatever is newer; null for the newest
 * @param refused the newest refusal, null if there was none since the newest load
 */
public record Shelf(
    String name,
    NavigableMap<Long, ServedModel> versions,
    @Nullable Long pinned,
    @Nullable Refusal refused) {

  /**
   * A version that was not taken.
   *
   * @param source file or topic
   * @param reason why
   */
  public record Refusal(String source, String reason) {}

  /** Copies the versions. */
  public Shelf {
    versions = Collections.unmodifiableNavigableMap(new TreeMap<>(versions));
  }

  /** The version that answers; null while none is loaded. */
  public @Nullable ServedModel current() {
    if (pinned != null) {
      return versions.get(pinned);
    }
    return versions.isEmpty() ? null : versions.lastEntry().getValue();
  }

  /** With one version more; of those, at most {@code keep} stay, and always the pinned one. */
  Shelf with(ServedModel model, int keep) {
    TreeMap<Long, ServedModel> more = new TreeMap<>(versions);
    more.put(model.number(), model);
    while (more.size() > keep) {
      Long oldest = more.firstKey();
      if (oldest.equals(pinned)) {
        oldest = more.higherKey(oldest);
      }
      if (oldest == null || oldest.equals(more.lastKey())) {
        break;
      }
      more.remove(oldest);
    }
    return new Shelf(name, more, pinned, null);
  }

  Shelf withPin(@Nullable Long version) {
    return new Shelf(name, versions, version, refused);
  }

  Shelf withRefusal(Refusal refusal) {
    return new Shelf(name, versions, pinned, refusal);
  }
}
