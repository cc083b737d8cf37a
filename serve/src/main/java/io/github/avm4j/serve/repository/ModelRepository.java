// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.EventLog;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The models that answer, by name and version.
 *
 * <ol>
 *   <li>A version is checked before anybody can see it; a bad one changes nothing but the record of
 *       its refusal.
 *   <li>The version that answers changes in one step, to the newest or the pinned one.
 *   <li>A version, once loaded, is never replaced by other content of the same number.
 *   <li>Nothing is unloaded because a source went away.
 * </ol>
 *
 * <p>Any thread may ask or load. Asking is one look into a hash map.
 */
public final class ModelRepository {
  /** Archives and image builders that keep no times write 1970 or 1980. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  private final ConcurrentMap<String, Shelf> shelves = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Curve> curves = new ConcurrentHashMap<>();
  private final LongAdder loads = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final int keep;
  private final EventLog log;
  private final Clock clock;

  /** Keeps at most {@code keep} versions a name, at least 1, and tells {@code log} of changes. */
  public ModelRepository(int keep, EventLog log, Clock clock) {
    if (keep < 1) {
      throw new IllegalArgumentException("keep must be >= 1, was " + keep);
    }
    this.keep = keep;
    this.log = log;
    this.clock = clock;
  }

  /** How many versions of a name are kept. */
  public int keep() {
    return keep;
  }

  /** All names, in order. */
  public List<Shelf> shelves() {
    return List.copyOf(new TreeMap<>(shelves).values());
  }

  /** What is known under a name; null if nothing. */
  public @Nullable Shelf shelf(String name) {
    return shelves.get(name);
  }

  /** The version that answers for a name; null if there is none. */
  public @Nullable ServedModel current(String name) {
    Shelf shelf = shelves.get(name);
    return shelf == null ? null : shelf.current();
  }

  /** The learning curve of a name; null if there is none. */
  public @Nullable Curve curve(String name) {
    return curves.get(name);
  }

  void curve(String name, Curve curve) {
    curves.put(name, curve);
  }

  /** Whether any model can answer. */
  public boolean isReady() {
    for (Shelf shelf : shelves.values()) {
      if (shelf.current() != null) {
        return true;
      }
    }
    return false;
  }

  /** Versions taken since the start. */
  public long loads() {
    return loads.sum();
  }

  /** Versions refused since the start. */
  public long refusals() {
    return refusals.sum();
  }

  /** One more than the highest version of a name: for sources that number nothing. */
  public long nextVersion(String name) {
    Shelf shelf = shelves.get(name);
    return shelf == null || shelf.versions().isEmpty() ? 1 : shelf.versions().lastKey() + 1;
  }

  /** {@link #load(String, long, byte[], String, Instant)} of a file whose age is not known. */
  public @Nullable ServedModel load(String name, long version, byte[] file, String source)
      throws RefusedModelException {
    return load(name, version, file, source, null);
  }

  /**
   * Checks {@code file} and, if it is good, makes it version {@code version} of {@code name}.
   *
   * @param made when the model was made, as its source has it; null if it does not say
   * @return the version as it is held now; null if it is older than all that are kept
   * @throws RefusedModelException if it is not taken; this has been recorded and told to the log
   */
  public @Nullable ServedModel load(
      String name, long version, byte[] file, String source, @Nullable Instant made)
      throws RefusedModelException {
    try {
      ModelCheck.checkName(name);
      if (version < 0) {
        throw new RefusedModelException("version must be >= 0, was " + version);
      }
      String digest = digest(file);
      ServedModel known = same(name, version, digest);
      if (known != null) {
        return known;
      }
      RowModel rows = ModelCheck.check(file);
      Instant now = clock.instant();
      Instant since = made == null || made.isBefore(EARLIEST) ? now : made;
      return put(new ServedModel(name, version, rows, digest, file.length, since, now, source));
    } catch (RefusedModelException e) {
      refuse(name, source, e.reason());
      throw e;
    }
  }

  private @Nullable ServedModel same(String name, long version, String digest)
      throws RefusedModelException {
    Shelf shelf = shelves.get(name);
    ServedModel known = shelf == null ? null : shelf.versions().get(version);
    if (known != null && !known.digest().equals(digest)) {
      throw new RefusedModelException(
          "version "
              + version
              + " is loaded with other content ("
              + known.digest()
              + ", this is "
              + digest
              + "); give a new model a new number");
    }
    return known;
  }

  private @Nullable ServedModel put(ServedModel model) {
    Shelf now =
        shelves.merge(
            model.name(),
            new Shelf(model.name(), new TreeMap<>(), null, null).with(model, keep),
            (shelf, unused) -> shelf.with(model, keep));
    loads.increment();
    ServedModel current = now.current();
    log.info(
        "model_loaded",
        "model",
        model.name(),
        "version",
        model.number(),
        "digest",
        model.digest(),
        "core_points",
        model.rows().model().size(),
        "instances",
        model.rows().model().provenance().instances(),
        "source",
        model.source(),
        "answers",
        current == null ? "none" : current.number());
    return now.versions().get(model.number());
  }

  /** Records that {@code source} brought something that was not taken. */
  public void refuse(String name, String source, String reason) {
    refusals.increment();
    shelves.computeIfPresent(
        name, (key, shelf) -> shelf.withRefusal(new Shelf.Refusal(source, reason)));
    log.warn("model_refused", "model", name, "source", source, "reason", reason);
  }

  /**
   * Lets {@code version} answer for {@code name} until it is told otherwise; null for the newest.
   *
   * @return the version that answers now
   * @throws NoSuchElementException if it is not loaded, saying which are
   */
  public ServedModel pin(String name, @Nullable Long version) {
    Shelf now =
        shelves.computeIfPresent(
            name,
            (key, shelf) -> {
              if (version != null && !shelf.versions().containsKey(version)) {
                throw new NoSuchElementException(
                    "version "
                        + version
                        + " of "
                        + name
                        + " is not loaded; there are "
                        + shelf.versions().keySet());
              }
              return shelf.withPin(version);
            });
    ServedModel current = now == null ? null : now.current();
    if (current == null) {
      throw new NoSuchElementException("there is no model " + name);
    }
    log.info(
        "version_chosen", "model", name, "version", current.number(), "pinned", version != null);
    return current;
  }

  /** Not a CRC: over a file that carries its own, a CRC is the same for every content. */
  private static String digest(byte[] file) {
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(file);
      return HexFormat.of().formatHex(all, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
