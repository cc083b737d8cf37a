// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.http.EventLog;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The detectors that judge, by name; of each the newest version alone.
 *
 * <ol>
 *   <li>A version is checked before anybody can see it; a bad one changes nothing but the record of
 *       its refusal.
 *   <li>A name is a model's or a detector's, whichever came first.
 *   <li>Nothing is unloaded because a source went away.
 * </ol>
 *
 * <p>Any thread may ask or load.
 */
public final class Detectors {
  /** Most bytes that all copies of a detector may have together, if it has more than one. */
  private static final long COPIED_BYTES = 64 << 20;

  private static final int MOST_COPIES = 16;

  private final ConcurrentMap<String, ServedDetector> detectors = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, DetectorTally> tallies = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Shelf.Refusal> refused = new ConcurrentHashMap<>();
  private final ModelRepository repository;
  private final EventLog log;
  private final Clock clock;

  /**
   * None yet.
   *
   * @param repository is told of refusals
   */
  Detectors(ModelRepository repository, EventLog log, Clock clock) {
    this.repository = repository;
    this.log = log;
    this.clock = clock;
  }

  /** All of them, by name. */
  public List<ServedDetector> all() {
    return List.copyOf(new TreeMap<>(detectors).values());
  }

  /** The detector of a name; null if there is none. */
  public @Nullable ServedDetector find(String name) {
    return detectors.get(name);
  }

  /** The newest refusal under a detector's name; null if there was none since the newest load. */
  public Shelf.@Nullable Refusal refused(String name) {
    return refused.get(name);
  }

  void refuse(String name, Shelf.Refusal refusal) {
    if (detectors.containsKey(name)) {
      refused.put(name, refusal);
    }
  }

  /** One more than the version of a name: for sources that number nothing. */
  long nextVersion(String name) {
    ServedDetector known = detectors.get(name);
    return known == null ? 1 : known.number() + 1;
  }

  /** Whether there is any. */
  boolean isEmpty() {
    return detectors.isEmpty();
  }

  /**
   * Checks {@code file} and, if it is good, lets it judge from now on.
   *
   * @return whether a detector of this name judges now; false if this one was discarded for its
   *     number, which has been recorded
   * @throws RefusedModelException if it is not taken; this has been recorded and told to the log
   */
  public boolean load(Arrival arrival, byte[] file) throws RefusedModelException {
    try {
      ModelCheck.checkName(arrival.name());
      if (arrival.version() < 0) {
        throw new RefusedModelException("version must be >= 0, was " + arrival.version());
      }
      if (repository.shelf(arrival.name()) != null) {
        throw new RefusedModelException("there is a model of this name; give it another");
      }
      String digest = ModelCheck.digest(file);
      return isKnown(arrival, digest) || take(arrival, file, digest);
    } catch (RefusedModelException e) {
      repository.refuse(arrival.name(), arrival.source(), e.reason());
      throw e;
    }
  }

  /** Whether there is nothing to do: it is loaded, or older than what is. */
  private boolean isKnown(Arrival arrival, String digest) throws RefusedModelException {
    ServedDetector known = detectors.get(arrival.name());
    if (known != null && known.learns()) {
      throw new RefusedModelException("a detector of this name learns here; give it another");
    }
    if (known == null || !known.lineage().equals(arrival.lineage())) {
      return false;
    }
    if (known.digest().equals(digest)) {
      return true; // a file that was touched; what it has learned since stays
    }
    if (known.number() == arrival.version()) {
      throw new RefusedModelException(
          "version %d is loaded with other content (%s, this is %s); give a new one a new number"
              .formatted(arrival.version(), known.digest(), digest));
    }
    return arrival.version() <= known.number();
  }

  private boolean take(Arrival arrival, byte[] file, String digest) throws RefusedModelException {
    ServedDetector known = detectors.get(arrival.name());
    if (known != null
        && known.lineage().equals(arrival.lineage())
        && Shelf.isFar(known.number(), arrival.version())) {
      repository.discard(
          arrival,
          "version " + arrival.version() + " is more than ten times the newest, " + known.number());
      return false;
    }
    ServedDetector detector = served(arrival, DetectorCheck.check(file), file, digest, false);
    detectors.put(arrival.name(), detector);
    refused.remove(arrival.name());
    repository.loaded();
    log.info(
        "detector_loaded",
        "model",
        detector.name(),
        "version",
        detector.number(),
        "lineage",
        detector.lineage(),
        "digest",
        digest,
        "core_points",
        detector.size(),
        "instances",
        detector.instances(),
        "source",
        detector.source());
    return true;
  }

  /**
   * Lets what a detector of this process has become judge from now on. It needs no check, and is no
   * event: there may be many in a second.
   */
  public void publish(Arrival arrival, byte[] state) {
    try {
      ServedDetector detector = served(arrival, RowDetector.read(state), state, "", true);
      detectors.put(arrival.name(), detector);
    } catch (InvalidModelException | RefusedModelException e) {
      throw new IllegalStateException(e);
    }
  }

  private ServedDetector served(
      Arrival arrival, RowDetector rows, byte[] file, String digest, boolean learns)
      throws RefusedModelException {
    return new ServedDetector(
        arrival,
        rows,
        copies(rows, file),
        learns,
        tallies.computeIfAbsent(arrival.name(), key -> new DetectorTally()),
        digest,
        file.length,
        clock.instant());
  }

  /** As many as there are processors, fewer of a large one. */
  private static List<Detector> copies(RowDetector rows, byte[] file) throws RefusedModelException {
    int processors = Math.min(MOST_COPIES, Runtime.getRuntime().availableProcessors());
    DetectorConfig config = rows.detector().config();
    long each = 3L * file.length + 32L * config.calibration() + 8L * config.budget();
    long count = Math.min(processors, COPIED_BYTES / each);
    List<Detector> copies = new ArrayList<>(List.of(rows.detector()));
    try {
      while (copies.size() < count) {
        copies.add(Detector.fromBytes(file));
      }
    } catch (InvalidModelException e) {
      throw new RefusedModelException("not a detector: " + e.getMessage(), e);
    }
    return copies;
  }
}
