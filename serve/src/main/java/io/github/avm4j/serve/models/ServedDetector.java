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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version of a detector that passed its check. A detector is for one thread at a time, so there
 * are equal copies of it, and a row takes one that is idle; of a detector that learns there is one
 * only, and rows wait for it.
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
  private volatile long instances;
  private volatile int size;
  private boolean changed;

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
   * @param copies equal detectors, one only if it learns
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

  /** Whether it can learn rows and take labels. */
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
   * @param learn whether the row is learned then
   * @throws IllegalArgumentException if x has another number of features
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  public Detection judge(FeatureVector x, double level, int explained, boolean learn)
      throws InterruptedException {
    if (learn && !learns) {
      throw new IllegalStateException(this + " does not learn");
    }
    Detection judgement =
        with(
            detector -> {
              double p = detector.pValue(x);
              double score = detector.lastScore();
              boolean alarm = p <= level;
              AnomalyExplanation why =
                  alarm && explained > 0 ? detector.explain(x, explained) : null;
              if (learn) {
                detector.detectThenLearn(x);
                change(detector);
              }
              return new Detection(p, score, alarm, why);
            });
    tally.judged(judgement.alarm, learn);
    return judgement;
  }

  /**
   * Takes in what a person said of a row.
   *
   * @param anomalous true for an anomaly, false for a normal row
   * @throws IllegalArgumentException if x has another number of features
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  public void feedback(FeatureVector x, boolean anomalous) throws InterruptedException {
    if (!learns) {
      throw new IllegalStateException(this + " takes no labels");
    }
    with(
        detector -> {
          detector.feedback(x, anomalous);
          change(detector);
          return anomalous;
        });
    tally.labelled();
  }

  /** All state, as a file, if it has changed since the last call; else empty. */
  byte[] takeChanges() throws InterruptedException {
    return with(
        detector -> {
          boolean news = changed;
          changed = false;
          return news ? new RowDetector(rows.schema(), detector).toBytes() : new byte[0];
        });
  }

  /** Has the next call of {@link #takeChanges} return all state: the last could not be saved. */
  void keepChanges() throws InterruptedException {
    with(detector -> changed = true);
  }

  /** In the hands of the one thread that has the only copy. */
  private void change(Detector detector) {
    changed = true;
    instances = detector.instances();
    size = detector.size();
  }

  private <T> T with(Function<Detector, T> work) throws InterruptedException {
    Detector detector = idle.take();
    try {
      return work.apply(detector);
    } finally {
      idle.add(detector);
    }
  }

  @Override
  public String toString() {
    return name() + " version " + number();
  }
}
