// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import com.amazon.randomcutforest.RandomCutForest;
import io.github.avm4j.Avm;
import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.experiments.anomaly.AnomalyStream.Labelled;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.ScorerProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A row per stream and order, as Markdown: prequential AUC of the detector and of a random cut
 * forest (50 trees of 256 samples, its defaults) and of MOA's half-space trees, AUC of a one-class
 * SVM fitted to rows of the whole stream, false alarms of the detector on normal rows, and
 * processor time per instance.
 *
 * <p>Half-space trees are found at run time, where the module of MOA is on the class path. They
 * want features between 0 and 1, and get them by the least and the largest value of the first
 * {@value #FIRST} rows.
 *
 * <p>Arguments: the folder of the public data sets, streams (all), and at the end {@code --rows N},
 * after which streams end (20,000, http 65,000, drift 50,000, nsl-kdd 10,000), and {@code --alarm
 * P}, the share of normal rows that may be alarms (0.01). P-values compare with 10/P scores, at
 * least 2,000, as those of {@code avm detect} do.
 */
public final class AnomalyTable {
  private static final String HEAD =
      """
      | stream | order | rows | anomalies % | AUC avm | AUC RCF | AUC HSTrees | AUC one-class SVM, batch | false alarms %, asked ASKED | found % | µs avm | µs RCF |
      |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Rows of streams that do not end after 20,000. */
  private static final Map<String, Integer> ROWS =
      Map.of("http", 65_000, "drift", 50_000, "nsl-kdd", 10_000);

  /** Rows whose least and largest values are 0 and 1 for half-space trees. */
  private static final int FIRST = 1000;

  private AnomalyTable() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    if (args.length < 1) {
      System.err.println("DATA_FOLDER [STREAM...] [--rows N] [--alarm P]");
      System.exit(2);
    }
    List<String> words = List.of(args);
    int rows = (int) option(words, "--rows", 0);
    double alarm = option(words, "--alarm", 0.01);
    List<String> asked = words.stream().filter(AnomalySets.NAMES::contains).toList();
    AnomalySets sets = new AnomalySets(Path.of(args[0]));
    System.out.print(head(alarm));
    for (String name : AnomalySets.NAMES) {
      if (asked.isEmpty() || asked.contains(name)) {
        int most = rows > 0 ? rows : ROWS.getOrDefault(name, 20_000);
        AnomalyStream whole = sets.load(name);
        System.out.print(row(whole.limited(most), "file", alarm));
        System.out.print(row(whole.shuffled(7).limited(most), "shuffled", alarm));
      }
    }
  }

  private static double option(List<String> words, String name, double absent) {
    int at = words.indexOf(name);
    return at < 0 ? absent : Double.parseDouble(words.get(at + 1));
  }

  static String head(double alarm) {
    return HEAD.replace("ASKED", Double.toString(100 * alarm).replaceAll("\\.0$", ""));
  }

  /** Scores in the order of the stream, and the processor time they took. */
  private static final class Scores {
    final double[] scores;
    double micros;

    Scores(int n) {
      scores = new double[n];
    }
  }

  static String row(AnomalyStream stream, String order, double alarm) {
    int n = stream.rows().size();
    int scores = (int) Math.max(DetectorConfig.DEFAULT.calibration(), Math.ceil(10 / alarm));
    Detector detector = Avm.detector().alarm(alarm).calibration(scores).build();
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
        "| %s | %s | %,d | %.2f | %.4f | %.4f | %s | %.4f | %.3f | %.1f | %.1f | %.1f |%n",
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
