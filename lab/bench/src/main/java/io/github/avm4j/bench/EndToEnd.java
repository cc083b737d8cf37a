// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.paper.WhenFull;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * The paper's online protocol on public files, Java beside numpy in one run, as a Markdown table:
 * CPU time an instance of predictThenLearn, rows read and shuffled (one fixed order) beforehand.
 * The numpy half is left out where python3 or numpy is missing.
 *
 * <p>Arguments: the data folder (or property {@code avm4j.data}), warm passes (8).
 */
public final class EndToEnd {

  /** A stream and the paper's settings; {@code lambda} as {@code K/n} or a number. */
  record Setting(
      String name,
      List<String> files,
      int features,
      boolean sparse,
      double gamma,
      double delta,
      String lambda,
      int cap) {

    AvmConfig config(int instances) {
      boolean relative = lambda.endsWith("/n");
      double value =
          Double.parseDouble(relative ? lambda.substring(0, lambda.length() - 2) : lambda);
      return Avm.paperClassifier()
          .gamma(gamma)
          .delta(delta)
          .lambda(relative ? value / instances : value)
          .features(features)
          .budget(cap)
          .whenFull(WhenFull.REFUSE)
          .labels(-1, 1)
          .config();
    }
  }

  static final List<Setting> SETTINGS =
      List.of(
          new Setting("a9a", List.of("a9a/a9a", "a9a/a9a.t"), 123, true, 1 / 16.0, 7, "16/n", 0),
          new Setting("cod-rna", List.of("cod-rna/cod-rna.scale"), 8, false, 0.25, 1, "16/n", 0),
          new Setting(
              "ijcnn1",
              List.of("ijcnn1/ijcnn1", "ijcnn1/ijcnn1.t"),
              22,
              false,
              1,
              1,
              "1.786e-5",
              500));

  private static final long SEED = 1;
  private static final int ROUNDS = 4;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** What one pass gave. */
  record Pass(int size, long mistakes, double micros) {}

  private EndToEnd() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    String data = args.length > 0 ? args[0] : System.getProperty("avm4j.data", "");
    if (data.isEmpty() || !Files.isDirectory(Path.of(data))) {
      System.err.println("give the folder of data sets as an argument or as -Davm4j.data=FOLDER");
      System.exit(1);
    }
    int passes = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    System.out.print(table(Path.of(data), passes));
  }

  private static String table(Path data, int passes) throws IOException {
    boolean numpy = Programs.works("python3", "-c", "import numpy");
    Path folder = Files.createTempDirectory("avm4j-bench");
    StringBuilder text = new StringBuilder(Machine.describe());
    try {
      text.append(numpy ? "; numpy " + numpyVersion() : "; no numpy here").append("\n\n");
      text.append(
          "| stream | instances | core points | mistakes | first pass, µs | warm, µs | numpy, µs |"
              + " numpy/warm | numpy agrees |\n"
              + "|---|---|---|---|---|---|---|---|---|\n");
      for (Setting setting : SETTINGS) {
        text.append(row(setting, data, folder, passes, numpy));
      }
    } finally {
      Programs.delete(folder);
    }
    return text.toString();
  }

  private static String row(Setting setting, Path data, Path folder, int passes, boolean numpy)
      throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : setting.files()) {
      lines.addAll(LibsvmFile.lines(data, name));
    }
    // Some of these files are sorted by class, which no stream is.
    Collections.shuffle(lines, new Random(SEED));
    int dense = setting.sparse() ? 0 : setting.features();
    double[] targets = lines.stream().mapToDouble(LibsvmFile::label).toArray();
    FeatureVector[] instances =
        lines.stream().map(l -> LibsvmFile.vector(l, dense)).toArray(FeatureVector[]::new);
    AvmConfig config = setting.config(targets.length);
    Pass first = pass(config, instances, targets);
    Pass warm = pass(config, instances, targets);
    Pass other = new Pass(0, 0, Double.POSITIVE_INFINITY);
    Path shuffled = Files.write(folder.resolve(setting.name()), lines);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < passes; i++) {
        warm = faster(warm, pass(config, instances, targets));
      }
      if (numpy) {
        other = faster(other, numpy(setting, shuffled, folder));
      }
    }
    String java =
        String.format(
            Locale.ROOT,
            "| %s | %d | %d | %d | %.2f | %.2f |",
            setting.name(),
            targets.length,
            warm.size(),
            warm.mistakes(),
            first.micros(),
            warm.micros());
    boolean agrees = other.size() == warm.size() && other.mistakes() == warm.mistakes();
    return java
        + (numpy
            ? String.format(
                Locale.ROOT,
                " %.1f | %.0f | %s |%n",
                other.micros(),
                other.micros() / warm.micros(),
                agrees ? "yes" : "no: " + other.size() + ", " + other.mistakes())
            : " – | – | – |\n");
  }

  private static Pass faster(Pass a, Pass b) {
    return a.micros() <= b.micros() ? a : b;
  }

  /** One prequential pass of a new learner, in CPU time of this thread. */
  static Pass pass(AvmConfig config, FeatureVector[] x, double[] y) {
    Learner learner = Avm.learner(config);
    long mistakes = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < y.length; i++) {
      mistakes += learner.predictThenLearn(x[i], y[i], 1) != y[i] ? 1 : 0;
    }
    long spent = THREADS.getCurrentThreadCpuTime() - start;
    return new Pass(learner.size(), mistakes, spent / 1e3 / y.length);
  }

  /** The numpy script's pass; one thread, like Java's. */
  static Pass numpy(Setting setting, Path file, Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(Programs.extract("avm_numpy.py", folder).toString());
    command.add(Integer.toString(setting.features()));
    command.add(Double.toString(setting.gamma()));
    command.add(Double.toString(setting.delta()));
    command.add(setting.lambda());
    command.add(Integer.toString(setting.cap()));
    command.add(file.toString());
    Map<String, String> oneThread =
        Map.of("OMP_NUM_THREADS", "1", "OPENBLAS_NUM_THREADS", "1", "MKL_NUM_THREADS", "1");
    String[] answer = Programs.run(oneThread, command).strip().split("\\s+", -1);
    return new Pass(
        Integer.parseInt(answer[1]), Long.parseLong(answer[2]), Double.parseDouble(answer[3]));
  }

  private static String numpyVersion() throws IOException {
    return Programs.run(
            Map.of(), List.of("python3", "-c", "import numpy; print(numpy.__version__)"))
        .strip();
  }
}
