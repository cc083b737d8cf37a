// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import com.amazon.randomcutforest.RandomCutForest;
import io.github.avm4j.Avm;
import io.github.avm4j.baselines.ScorerProvider;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.experiments.anomaly.AnomalyStream.Labelled;
import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A row per stream and order, as Markdown: prequential AUC of the detector and of a random cut
 * forest (50 trees of 256 samples, its defaults) and of MOA's half-space trees, AUC of a one-class
 * SVM fitted to rows of the whole stream, false alarms of the detector on normal rows at 1 %, and
 * processor time per instance.
 *
 * <p>Half-space trees are found at run time, where the module of MOA is on the class path. They
 * want features between 0 and 1, and get them by the least and the largest value of the first
 * {@value #FIRST} rows.
 *
 * <p>Arguments: the folder of the public data sets, streams (all), and at the end {@code --rows N},
 * after which streams end (20,000).
 */
public final class AnomalyTable {
  static final String HEAD =
      """
      | stream | order | rows | anomalies % | AUC avm | AUC RCF | AUC HSTrees | AUC one-class SVM, batch | false alarms %, asked 1 | found % | µs avm | µs RCF |
      |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final double LEVEL = 0.01;

  /** Rows whose least and largest values are 0 and 1 for half-space trees. */
  private static final int FIRST = 1000;

  private AnomalyTable() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    if (args.length < 1) {
      System.err.println("DATA_FOLDER [STREAM...] [--rows N]");
      System.exit(2);
    }
    List<String> words = List.of(args);
    int at = words.indexOf("--rows");
    int most = at < 0 ? 20_000 : Integer.parseInt(words.get(at + 1));
    List<String> asked = words.subList(1, at < 0 ? words.size() : at);
    AnomalySets sets = new AnomalySets(Path.of(args[0]));
    System.out.print(HEAD);
    for (String name : AnomalySets.NAMES) {
      if (asked.isEmpty() || asked.contains(name)) {
        AnomalyStream whole = sets.load(name);
        System.out.print(row(whole.limited(most), "file"));
        System.out.print(row(whole.shuffled(7).limited(most), "shuffled"));
      }
    }
  }

  /** Scores in the order of the stream, and the processor time they took. */
  private static final class Scores {
    final double[] scores;
    double micros;

    Scores(int n) {
      scores = new double[n];
    }
  }

  static String row(AnomalyStream stream, String order) {
    int n = stream.rows().size();
    Detector detector = Avm.detector().alarm(LEVEL).build();
    boolean[] alarms = new boolean[n];
    int[] at = {0};
    Scores ours =
        scores(
            stream,
            x -> {
              double p = detector.detectThenLearn(FeatureVector.dense(x));
              alarms[at[0]++] = detector.isAlarm(p);
              return detector.lastScore();
            });
    RandomCutForest forest =
        RandomCutForest.builder().dimensions(stream.features()).randomSeed(1).build();
    Scores trees =
        scores(
            stream,
            x -> {
              float[] point = new float[x.length];
              for (int j = 0; j < x.length; j++) {
                point[j] = (float) x[j];
              }
              double score = forest.getAnomalyScore(point);
              forest.update(point);
              return score;
            });
    String halves = halfSpaces(stream);
    double machine = auc(stream, OneClassSvm.scores(stream));
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %.2f | %.4f | %.4f | %s | %.4f | %.2f | %.1f | %.1f | %.1f |%n",
        stream.name(),
        order,
        n,
        100.0 * stream.anomalies() / n,
        auc(stream, ours.scores),
        auc(stream, trees.scores),
        halves,
        machine,
        share(stream, alarms, false),
        share(stream, alarms, true),
        ours.micros,
        trees.micros);
  }

  /** AUC of MOA's detector where the jar that provides it is on the class path, else a dash. */
  private static String halfSpaces(AnomalyStream stream) {
    List<ScorerProvider> found = ScorerProvider.found();
    if (found.isEmpty()) {
      return "–";
    }
    ToDoubleFunction<double[]> trees = found.get(0).create(stream.features(), 1);
    double[] low = stream.rows().get(0).x.clone();
    double[] high = low.clone();
    for (Labelled row : stream.limited(FIRST).rows()) {
      for (int j = 0; j < low.length; j++) {
        low[j] = Math.min(low[j], row.x[j]);
        high[j] = Math.max(high[j], row.x[j]);
      }
    }
    Scores scores =
        scores(
            stream,
            x -> {
              double[] unit = new double[x.length];
              for (int j = 0; j < x.length; j++) {
                unit[j] = high[j] > low[j] ? (x[j] - low[j]) / (high[j] - low[j]) : x[j] - low[j];
              }
              return trees.applyAsDouble(unit);
            });
    return String.format(Locale.ROOT, "%.4f", auc(stream, scores.scores));
  }

  private static Scores scores(AnomalyStream stream, ToDoubleFunction<double[]> detector) {
    int n = stream.rows().size();
    Scores result = new Scores(n);
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < n; i++) {
      result.scores[i] = detector.applyAsDouble(stream.rows().get(i).x);
    }
    result.micros = (THREADS.getCurrentThreadCpuTime() - start) / 1000.0 / n;
    return result;
  }

  private static double share(AnomalyStream stream, boolean[] alarms, boolean anomalous) {
    int count = 0;
    int alarmed = 0;
    for (int i = 0; i < alarms.length; i++) {
      if (stream.rows().get(i).anomalous == anomalous) {
        count++;
        alarmed += alarms[i] ? 1 : 0;
      }
    }
    return 100.0 * alarmed / count;
  }

  /** Probability that an anomaly has a larger score than a normal row, ties counting half. */
  static double auc(AnomalyStream stream, double[] scores) {
    Integer[] order = new Integer[scores.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> scores[i]));
    double below = 0;
    double sum = 0;
    double anomalies = 0;
    for (int i = 0; i < order.length; ) {
      double normal = 0;
      double odd = 0;
      int j = i;
      for (; j < order.length && scores[order[j]] == scores[order[i]]; j++) {
        Labelled row = stream.rows().get(order[j]);
        odd += row.anomalous ? 1 : 0;
        normal += row.anomalous ? 0 : 1;
      }
      sum += odd * (below + normal / 2);
      below += normal;
      anomalies += odd;
      i = j;
    }
    return sum / (below * anomalies);
  }
}
