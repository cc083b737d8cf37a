// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Models as records of a log, as the Flink job writes them to a topic: the key is the name and the
 * value the file; parts of a model have keys that begin with its name and a slash. A model in parts
 * is handed on once it is whole. For one thread at a time.
 */
public final class ModelRecords {
  private static final int LONGEST_KEY = 200;

  private final ModelStore store;
  private final PartedModels parted;

  /**
   * No records yet.
   *
   * @param store takes the models
   */
  public ModelRecords(ModelStore store) {
    this.store = store;
    this.parted = new PartedModels(store);
  }

  /**
   * Takes a record in. Whatever is wrong with it stops no other.
   *
   * @param key its key
   * @param value its value; null if it ends what was under its key
   * @param version its header {@code version}, empty for none
   * @param lineage its header {@code lineage}, empty for none
   * @param source where it stands
   * @param made its time
   */
  public void take(
      String key,
      byte @Nullable [] value,
      String version,
      String lineage,
      String source,
      Instant made) {
    int slash = key.indexOf('/');
    String name = slash < 0 ? key : key.substring(0, slash);
    if (!store.wants(name)) {
      return;
    }
    try {
      if (key.length() > LONGEST_KEY) {
        String begins = key.substring(0, LONGEST_KEY / 2) + "…";
        store.refuse(begins, source, "a key of " + key.length() + " characters");
      } else if (slash >= 0) {
        parted.part(name, key.substring(slash + 1), value, source);
      } else if (value != null) {
        whole(name, value, version, lineage, source, made);
      }
    } catch (RuntimeException | Error e) {
      store.refuse(name, source, "cannot be read: " + e);
    }
  }

  private void whole(
      String name, byte[] value, String version, String lineage, String source, Instant made) {
    String tooLarge = Arrival.tooLarge(value.length);
    if (tooLarge != null || !version.matches("[0-9]{1,18}")) {
      String unnumbered = "no header 'version' with a whole number";
      store.refuse(name, source, tooLarge == null ? unnumbered : tooLarge);
      return;
    }
    Arrival arrival = new Arrival(name, lineage, Long.parseLong(version), source, made);
    String inUse = store.lineage(name);
    if (lineage.isEmpty() && !inUse.isEmpty()) {
      store.discard(arrival, "it says no lineage, and " + inUse + " is in use");
    } else if (Arrival.isManifest(value)) {
      parted.manifest(arrival, value);
    } else {
      store.take(arrival, value, null);
    }
  }

  /**
   * Hands on the versions in parts that have become whole.
   *
   * @param all whether nothing more is to be read now: what is not whole lacks a part and is
   *     refused
   */
  public void complete(boolean all) {
    parted.load(all);
  }
}
