// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * A loaded version of a model that passed its check. A request uses one of these from start to end,
 * whatever is swapped in meanwhile.
 *
 * <p>Any number of threads; scratch is thread-local. Immutable but for the count of its
 * predictions.
 */
public final class ServedModel {
  private final String name;
  private final long version;
  private final String lineage;
  private final RowModel rows;
  private final String digest;
  private final long bytes;
  private final Instant made;
  private final Instant loaded;
  private final String source;
  private final RowEncoding encoding;
  private final boolean probabilities;
  private final LongAdder predicted = new LongAdder();
  private final int distances;
  private final ThreadLocal<Scratch> scratch;

  /** A thread's scratch to predict; nothing in it refers to the model's own fields. */
  private static final class Scratch {
    final double[] scores;
    private double[][] batch = new double[0][];

    Scratch(int classes) {
      this.scores = new double[Math.max(1, classes)];
    }

    /** Room for the scores of n rows, kept for the next. */
    double[][] batch(int n) {
      if (batch.length < n) {
        batch = new double[n][scores.length];
      }
      return batch;
    }
  }

  ServedModel(Arrival arrival, RowModel rows, String digest, long bytes, Instant loaded) {
    this.name = arrival.name();
    this.version = arrival.version();
    this.lineage = arrival.lineage();
    this.source = arrival.source();
    this.rows = rows;
    this.digest = digest;
    this.bytes = bytes;
    this.made = arrival.made(loaded);
    this.loaded = loaded;
    Model model = rows.model();
    this.encoding = new RowEncoding(rows.schema(), model.dimension(), model.isOpenEnded());
    this.probabilities = model.hasProbabilities();
    this.distances = distances(model);
    int classes = model.classes();
    this.scratch = ThreadLocal.withInitial(() -> new Scratch(classes));
  }

  /** Most distances that one row takes: to centres on the way and to core points. */
  private static int distances(Model model) {
    int most = model.expansionSize();
    for (Model part : model.parts()) {
      most = Math.max(most, part.expansionSize());
    }
    for (Cells cells : model.levels()) {
      most += cells.partition() instanceof Centres ? cells.size() : 0;
    }
    return most;
  }

  /** Most distances that the prediction of one row takes. */
  public int distances() {
    return distances;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its version, as the protocol writes it. */
  public String version() {
    return Long.toString(version);
  }

  /** Its version, to compare. */
  public long number() {
    return version;
  }

  /** The line of versions it belongs to; empty if its source does not say. */
  public String lineage() {
    return lineage;
  }

  /** Schema, names and expansion. */
  public RowModel rows() {
    return rows;
  }

  /** The beginning of the file's SHA-256: which of two models of one version this is. */
  public String digest() {
    return digest;
  }

  /** Size of its file, or of its parts. */
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
    return source;
  }

  /** Rows that it has predicted. */
  public long predicted() {
    return predicted.sum();
  }

  /** Whether predictions carry probabilities. */
  public boolean hasProbabilities() {
    return probabilities;
  }

  /** Classification or regression. */
  public boolean isRegression() {
    return rows.model().task() == Task.REGRESSION;
  }

  /** How its rows become features. */
  public RowEncoding encoding() {
    return encoding;
  }

  /**
   * Predicts {@code x}; it is counted.
   *
   * @throws IllegalArgumentException if x does not fit or is not finite
   */
  public RowPrediction predict(FeatureVector x) {
    double[] scores = scratch.get().scores;
    rows.model().scores(x, scores);
    return prediction(scores);
  }

  /**
   * Predicts the first {@code n} of {@code batch}, counted likewise: less work than one by one.
   *
   * @param into gets them, from {@code first} on
   * @throws IllegalArgumentException if one does not fit or is not finite; none is counted then
   */
  public void predict(FeatureVector[] batch, int n, RowPrediction[] into, int first) {
    double[][] scores = scratch.get().batch(n);
    rows.model().scores(batch, n, scores);
    for (int r = 0; r < n; r++) {
      into[first + r] = prediction(scores[r]);
    }
  }

  private RowPrediction prediction(double[] scores) {
    predicted.increment();
    Model model = rows.model();
    int classes = model.classes();
    if (model.task() == Task.REGRESSION) {
      return new RowPrediction(-1, scores[0], Double.NaN, null);
    }
    int winner = Decision.argmax(scores, classes);
    double score = classes == 2 ? scores[1] - scores[0] : scores[winner];
    double margin = Decision.margin(scores, classes);
    if (!probabilities) {
      return new RowPrediction(winner, score, margin, null);
    }
    double[] shares = Arrays.copyOf(scores, classes);
    Decision.softmax(shares, classes);
    return new RowPrediction(winner, score, margin, shares);
  }

  /** The name of class {@code index}. */
  public String className(int index) {
    return rows.name(rows.model().label(index));
  }

  @Override
  public String toString() {
    return name + " version " + version;
  }
}
