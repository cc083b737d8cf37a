// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.pipeline.RowDetector;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One version of a detector that passed its check. A detector is for one thread at a time, so there
 * are equal copies of it, and a row takes one that is idle.
 */
public final class ServedDetector {
  private final Arrival arrival;
  private final String digest;
  private final long bytes;
  private final Instant made;
  private final Instant loaded;
  private final RowDetector rows;
  private final DetectorConfig config;
  private final RowEncoding encoding;
  private final boolean learns;
  private final DetectorTally tally;
  private final BlockingQueue<Detector> idle;
  private final long instances;
  private final int size;

  /**
   * What is said of a row.
   *
   * @param pValue share of recent normal rows that were at least as unusual
   * @param score soft distance to the core points
   * @param alarm whether the p-value is at most the level asked for
   * @param why what an alarm is due to; null if there is none or it was not asked for
   */
  public record Detection(
      double pValue, double score, boolean alarm, @Nullable AnomalyExplanation why) {}

  /**
   * With these copies.
   *
   * @param copies equal detectors
   * @param learns whether newer versions follow, of what callers teach
   */
  ServedDetector(
      Arrival arrival,
      RowDetector rows,
      List<Detector> copies,
      boolean learns,
      DetectorTally tally,
      String digest,
      long bytes,
      Instant loaded) {
    this.arrival = arrival;
    this.rows = rows;
    this.learns = learns;
    this.tally = tally;
    this.digest = digest;
    this.bytes = bytes;
    this.loaded = loaded;
    made = arrival.made(loaded);
    Detector detector = rows.detector();
    config = detector.config();
    encoding = new RowEncoding(rows.schema(), detector.features(), false);
    instances = detector.instances();
    size = detector.size();
    // Fair: a request of many rows must not keep a request of one waiting.
    idle = new ArrayBlockingQueue<>(copies.size(), true, copies);
  }

  /** Its name. */
  public String name() {
    return arrival.name();
  }

  /** Its version. */
  public long number() {
    return arrival.version();
  }

  /** The line of versions it belongs to; empty if its source does not say. */
  public String lineage() {
    return arrival.lineage();
  }

  /** The beginning of its file's SHA-256. */
  public String digest() {
    return digest;
  }

  /** Size of its file. */
  public long bytes() {
    return bytes;
  }

  /** When it was made, as far as its source knows; else when it was loaded. */
  public Instant made() {
    return made;
  }

  /** When it was loaded here. */
  public Instant loaded() {
    return loaded;
  }

  /** The file or topic it came from. */
  public String source() {
    return arrival.source();
  }

  /** Schema and units; its detector is not to be asked. */
  public RowDetector rows() {
    return rows;
  }

  /** Its settings. */
  public DetectorConfig config() {
    return config;
  }

  /** How its rows become features. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** Whether it learns here. */
  public boolean learns() {
    return learns;
  }

  /** What was counted under its name. */
  public DetectorTally tally() {
    return tally;
  }

  /** Number of rows it has seen. */
  public long instances() {
    return instances;
  }

  /** Number of its core points. */
  public int size() {
    return size;
  }

  /**
   * Judges a row.
   *
   * @param level p-values up to this are alarms
   * @param explained most features and core points of an alarm that are listed; 0 for none
   * @throws IllegalArgumentException if x has another number of features
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  public Detection judge(FeatureVector x, double level, int explained) throws InterruptedException {
    Detector detector = idle.take();
    try {
      Detection judgement = judge(detector, x, level, explained);
      tally.judged(judgement.alarm, false);
      return judgement;
    } finally {
      idle.add(detector);
    }
  }

  /** The same with that detector, not counted. */
  public static Detection judge(Detector detector, FeatureVector x, double level, int explained) {
    double p = detector.pValue(x);
    double score = detector.lastScore();
    boolean alarm = p <= level;
    return new Detection(
        p, score, alarm, alarm && explained > 0 ? detector.explain(x, explained) : null);
  }

  @Override
  public String toString() {
    return name() + " version " + number();
  }
}
