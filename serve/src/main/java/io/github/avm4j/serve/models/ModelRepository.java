// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.follow.Arrival;
import io.github.avm4j.follow.ModelStore;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.http.EventLog;
import java.time.Clock;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The loaded models, by name and version.
 *
 * <ol>
 *   <li>A version is checked before it is used; a bad one changes nothing but the record of its
 *       refusal.
 *   <li>The version that predicts changes in one step, to the newest or the pinned one.
 *   <li>A version, once loaded, is never replaced by other content of the same number.
 *   <li>Nothing is unloaded because a source went away.
 * </ol>
 *
 * <p>Thread-safe. Finding a model is one lookup in a hash map.
 */
public final class ModelRepository implements ModelStore {
  private final ConcurrentMap<String, Shelf> shelves = new ConcurrentHashMap<>();
  private final LongAdder loads = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final LongAdder discards = new LongAdder();
  private final int keep;
  private final EventLog log;
  private final Clock clock;
  private final Detectors detectors;

  /** Stores at most {@code keep} versions per name, at least 1; changes are logged. */
  public ModelRepository(int keep, EventLog log, Clock clock) {
    if (keep < 1) {
      throw new IllegalArgumentException("keep must be >= 1, was " + keep);
    }
    this.keep = keep;
    this.log = log;
    this.clock = clock;
    this.detectors = new Detectors(this, log, clock);
  }

  /** The detectors of anomalies beside the models. */
  public Detectors detectors() {
    return detectors;
  }

  @Override
  public int keep() {
    return keep;
  }

  /** All names, in order. */
  public List<Shelf> shelves() {
    return List.copyOf(new TreeMap<>(shelves).values());
  }

  /** What is known under the only name there is; null if there are none or several. */
  public @Nullable Shelf only() {
    Iterator<Shelf> all = shelves.values().iterator();
    Shelf first = all.hasNext() ? all.next() : null;
    return all.hasNext() ? null : first;
  }

  /** What is known under a name; null if nothing. */
  public @Nullable Shelf shelf(String name) {
    return shelves.get(name);
  }

  /** The version of a name that predicts; null if there is none. */
  public @Nullable ServedModel current(String name) {
    Shelf shelf = shelves.get(name);
    return shelf == null ? null : shelf.current();
  }

  /** Whether any model can predict, or any detector judge. */
  public boolean isReady() {
    return !detectors.isEmpty() || shelves.values().stream().anyMatch(s -> s.current() != null);
  }

  void loaded() {
    loads.increment();
  }

  /** Versions taken since the start. */
  public long loads() {
    return loads.sum();
  }

  /** Versions refused since the start. */
  public long refusals() {
    return refusals.sum();
  }

  /** Versions discarded since the start. */
  public long discards() {
    return discards.sum();
  }

  @Override
  public boolean holds(String name, String lineage, @Nullable Long version) {
    Shelf shelf = shelves.get(name);
    return detectors.find(name) != null // of a detector there is one version, and none is newer
        || (shelf != null
            && (version == null
                ? !shelf.versions().isEmpty()
                : shelf.find(lineage, version) != null));
  }

  @Override
  public String lineage(String name) {
    Shelf shelf = shelves.get(name);
    return shelf == null ? "" : shelf.lineage();
  }

  @Override
  public long nextVersion(String name) {
    Shelf shelf = shelves.get(name);
    return shelf == null
        ? detectors.nextVersion(name)
        : 1 + shelf.numbers().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /**
   * Checks {@code file} and, if it is good, makes it a version of its name. A lineage that is not
   * the one that predicts takes over: its source has decided that it is the newer one.
   *
   * @return the version as it is held now; null if it was discarded, which has been recorded
   * @throws RefusedModelException if it is not taken; this has been recorded and told to the log
   */
  public @Nullable ServedModel load(Arrival arrival, byte[] file) throws RefusedModelException {
    return load(arrival, file, null);
  }

  /**
   * Makes a model that a learner of this process has become a version of its name. It needs no
   * check, and is no event: there may be many in a second.
   */
  public void publish(Arrival arrival, RowModel rows) {
    ServedModel model = new ServedModel(arrival, rows, "", 0, clock.instant());
    shelves.merge(
        arrival.name(),
        Shelf.empty(arrival.name()).with(model, keep),
        (shelf, unused) -> shelf.with(model, keep));
  }

  @Override
  public boolean take(Arrival arrival, byte[] file, CellAssembly.@Nullable Assembled<?> made) {
    try {
      return made == null && RowDetector.isDetector(file)
          ? detectors.load(arrival, file)
          : load(arrival, file, made) != null;
    } catch (RefusedModelException e) {
      return false; // which has been recorded
    }
  }

  /**
   * The same for a model that was put together of parts.
   *
   * @param manifest bytes of the list of its parts
   * @param made the model; null if {@code manifest} is a model's file
   */
  private @Nullable ServedModel load(
      Arrival arrival, byte[] manifest, CellAssembly.@Nullable Assembled<?> made)
      throws RefusedModelException {
    try {
      ModelCheck.checkName(arrival.name());
      if (arrival.version() < 0) {
        throw new RefusedModelException("version must be >= 0, was " + arrival.version());
      }
      if (detectors.find(arrival.name()) != null) {
        throw new RefusedModelException("there is a detector of this name; give it another");
      }
      String digest = ModelCheck.digest(manifest);
      ServedModel known = same(arrival, digest);
      if (known != null) {
        return known;
      }
      Shelf shelf = shelves.get(arrival.name());
      String implausible =
          shelf == null ? null : shelf.implausible(arrival.lineage(), arrival.version());
      if (implausible != null) {
        discard(arrival, implausible);
        return null;
      }
      RowModel rows =
          made == null ? ModelCheck.check(manifest) : ModelCheck.check(made.rows(), made.changed());
      long bytes = made == null ? manifest.length : made.bytes();
      return put(new ServedModel(arrival, rows, digest, bytes, clock.instant()));
    } catch (RefusedModelException e) {
      refuse(arrival.name(), arrival.source(), e.reason());
      throw e;
    }
  }

  @Override
  public void discard(Arrival arrival, String reason) {
    discards.increment();
    Shelf.Discarded one =
        new Shelf.Discarded(arrival.version(), arrival.lineage(), arrival.source(), reason);
    shelves.computeIfPresent(arrival.name(), (key, shelf) -> shelf.withDiscarded(one));
    log.warn(
        "model_discarded",
        "model",
        arrival.name(),
        "version",
        arrival.version(),
        "lineage",
        arrival.lineage(),
        "source",
        arrival.source(),
        "reason",
        reason);
  }

  private @Nullable ServedModel same(Arrival arrival, String digest) throws RefusedModelException {
    Shelf shelf = shelves.get(arrival.name());
    ServedModel known = shelf == null ? null : shelf.find(arrival.lineage(), arrival.version());
    if (known != null && !known.digest().equals(digest)) {
      throw new RefusedModelException(
          "version "
              + arrival.version()
              + " is loaded with other content ("
              + known.digest()
              + ", this is "
              + digest
              + "); give a new model a new number");
    }
    return known;
  }

  private @Nullable ServedModel put(ServedModel model) {
    Shelf before = shelves.get(model.name());
    Shelf now =
        shelves.merge(
            model.name(),
            Shelf.empty(model.name()).with(model, keep),
            (shelf, unused) -> shelf.with(model, keep));
    loaded();
    if (before != null && !before.versions().isEmpty()) {
      tellLineage(before, now);
    }
    ServedModel current = now.current();
    log.info(
        "model_loaded",
        "model",
        model.name(),
        "version",
        model.number(),
        "lineage",
        model.lineage(),
        "digest",
        model.digest(),
        "core_points",
        model.rows().model().size(),
        "instances",
        model.rows().model().provenance().instances(),
        "source",
        model.source(),
        "in_use",
        current == null ? "none" : current.number());
    return now.find(model.lineage(), model.number());
  }

  private void tellLineage(Shelf before, Shelf now) {
    if (!before.lineage().equals(now.lineage())) {
      log.warn(
          "lineage_changed", "model", now.name(), "from", before.lineage(), "to", now.lineage());
    }
  }

  @Override
  public void gone(String source, String reason) {
    log.warn("source_gone", "source", source, "reason", reason);
  }

  @Override
  public void back(String source) {
    log.info("source_back", "source", source);
  }

  @Override
  public void refuse(String name, String source, String reason) {
    refusals.increment();
    Shelf.Refusal refusal = new Shelf.Refusal(source, reason);
    shelves.computeIfPresent(name, (key, shelf) -> shelf.withRefusal(refusal));
    detectors.refuse(name, refusal);
    log.warn("model_refused", "model", name, "source", source, "reason", reason);
  }

  /**
   * Pins {@code version} of {@code name}; null to follow the newest.
   *
   * @return the version that predicts now
   * @throws NoSuchElementException if it is not loaded, saying which are
   */
  public ServedModel pin(String name, @Nullable Long version) {
    Shelf now =
        shelves.computeIfPresent(
            name,
            (key, shelf) -> {
              Shelf.Key chosen = version == null ? null : shelf.find(version);
              if (version != null && chosen == null) {
                throw new NoSuchElementException(
                    "version "
                        + version
                        + " of "
                        + name
                        + " is not loaded; there are "
                        + shelf.numbers());
              }
              return shelf.withPin(chosen);
            });
    ServedModel current = now == null ? null : now.current();
    if (current == null) {
      throw new NoSuchElementException("there is no model " + name);
    }
    log.info(
        "version_chosen", "model", name, "version", current.number(), "pinned", version != null);
    return current;
  }
}
