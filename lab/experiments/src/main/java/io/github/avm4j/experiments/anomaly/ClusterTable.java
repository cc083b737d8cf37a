// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.Clusters;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.ClustererProvider;
import io.github.avm4j.lab.baselines.ClustererProvider.Clusterer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A row per stream, order and clusterer, as Markdown: the adjusted Rand index of clusters and
 * classes. <em>Windows:</em> after every {@value #WINDOW} rows, these rows get the clusters of that
 * time; the mean over windows. <em>Whole stream:</em> all rows get the clusters at the end.
 *
 * <p>Features of all are scaled to 0..1 by the least and the largest value of the rows. The
 * clusterers of MOA are found at run time, where its module is on the class path.
 *
 * <p>Arguments: the folder of the public data sets, streams (all), and at the end {@code --rows N},
 * after which streams end (20,000).
 */
public final class ClusterTable {
  static final String HEAD =
      """
      | stream | order | rows | classes | clusterer | ARI, windows | ARI, whole stream | clusters | µs |
      |---|---|--:|--:|---|--:|--:|--:|--:|
      """;

  static final int WINDOW = 1000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ClusterTable() {}

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
    System.out.print(HEAD);
    for (String name : ClassStream.NAMES) {
      if (asked.isEmpty() || asked.contains(name)) {
        ClassStream whole = ClassStream.load(Path.of(args[0]), name);
        print(whole.limited(most).scaled(), "file");
        print(whole.shuffled(1).limited(most).scaled(), "shuffled");
      }
    }
  }

  private static void print(ClassStream stream, String order) {
    System.out.print(row(stream, order, "avm", ours()));
    for (ClustererProvider provider : ClustererProvider.found()) {
      Clusterer clusterer = provider.create(stream.features(), stream.classes());
      System.out.print(row(stream, order, provider.title(), clusterer));
    }
  }

  /** The clusters of a detector with default settings. */
  static Clusterer ours() {
    Detector detector = Avm.detector().build();
    return new Clusterer() {
      @Override
      public void learn(double[] x) {
        detector.detectThenLearn(FeatureVector.dense(x));
      }

      @Override
      public ToIntFunction<double[]> clusters() {
        Clusters clusters = detector.clusters();
        return x -> clusters.of(FeatureVector.dense(x));
      }
    };
  }

  static String row(ClassStream stream, String order, String title, Clusterer clusterer) {
    int n = stream.rows().size();
    int[] classes = stream.rows().stream().mapToInt(row -> row.label).toArray();
    int[] clusters = new int[n];
    double sum = 0;
    long micros = 0;
    for (int from = 0; from + WINDOW <= n; from += WINDOW) {
      long start = THREADS.getCurrentThreadCpuTime();
      for (int i = from; i < from + WINDOW; i++) {
        clusterer.learn(stream.rows().get(i).x);
      }
      ToIntFunction<double[]> now = clusterer.clusters();
      micros += (THREADS.getCurrentThreadCpuTime() - start) / 1000;
      assign(stream, now, clusters, from, from + WINDOW);
      sum += adjustedRandIndex(classes, clusters, from, from + WINDOW);
    }
    int windows = n / WINDOW;
    for (int i = windows * WINDOW; i < n; i++) {
      clusterer.learn(stream.rows().get(i).x);
    }
    assign(stream, clusterer.clusters(), clusters, 0, n);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %d | %s | %.3f | %.3f | %d | %.0f |%n",
        stream.name(),
        order,
        n,
        stream.classes(),
        title,
        sum / windows,
        adjustedRandIndex(classes, clusters, 0, n),
        Arrays.stream(clusters).distinct().count(),
        micros / (double) (windows * WINDOW));
  }

  private static void assign(
      ClassStream stream, ToIntFunction<double[]> now, int[] clusters, int from, int to) {
    for (int i = from; i < to; i++) {
      clusters[i] = now.applyAsInt(stream.rows().get(i).x);
    }
  }

  /**
   * The adjusted Rand index (Hubert and Arabie, 1985) of two groupings of rows {@code from} to
   * {@code to}: 1 when they are the same, 0 on average by chance; 1 when both are one group.
   */
  static double adjustedRandIndex(int[] one, int[] other, int from, int to) {
    Map<List<Integer>, Integer> both = new HashMap<>();
    Map<Integer, Integer> ones = new HashMap<>();
    Map<Integer, Integer> others = new HashMap<>();
    for (int i = from; i < to; i++) {
      both.merge(List.of(one[i], other[i]), 1, Integer::sum);
      ones.merge(one[i], 1, Integer::sum);
      others.merge(other[i], 1, Integer::sum);
    }
    double all = (to - from) * (to - from - 1.0) / 2;
    double expected = pairs(ones) * pairs(others) / all;
    double most = (pairs(ones) + pairs(others)) / 2;
    return most == expected ? 1 : (pairs(both) - expected) / (most - expected);
  }

  private static double pairs(Map<?, Integer> groups) {
    return groups.values().stream().mapToDouble(size -> size * (size - 1.0) / 2).sum();
  }
}
