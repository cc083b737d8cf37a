// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.catalogue.DataCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The table of learning with few labels, as Markdown, a row as soon as it is measured: the default
 * learner with all labels, and with a fifth of them chosen by its {@link
 * io.github.avm4j.learner.LabelBudget}, at random, and by the rule of River's entropy sampler.
 *
 * <p>Arguments: the folder of the public data sets, then data sets (all), {@code --rows N} (50,000)
 * after which streams end, {@code --seeds N} (1), {@code --picture FILE} of an SVG.
 */
public final class LabelTable {
  static final double SHARE = 0.2;

  /** A curve is flat if the error of the last fifth is at least this share of the fourth's. */
  static final double FLAT = 0.95;

  /** Runs that look for the discount factor of River's rule. */
  private static final int SEARCH = 5;

  private static final String HEAD =
      """
      | stream | rows | last fifth / fourth | all labels | **budget 20 %** | labels asked % | more than all labels | random | more | River's rule | its labels % | more |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final List<String> SETS =
      List.of(
          "a9a",
          "w8a",
          "cod-rna",
          "ijcnn1",
          "magic04",
          "phishing",
          "pendigits",
          "shuttle",
          "skin",
          "spam",
          "poker",
          "kddcup99",
          "airlines late",
          "electricity",
          "weather",
          "letter",
          "covtype",
          "casp",
          "kin40k",
          "cal_housing");

  /**
   * What the picture shows of a stream.
   *
   * @param name of the stream
   * @param flat whether its curve is flat at the end
   * @param budget error relative to that with all labels, of the budget
   * @param random the same, of labels at random
   * @param entropy the same, of River's rule; NaN for a regression
   */
  record Row(String name, boolean flat, double budget, double random, double entropy) {}

  private final int most;
  private final int seeds;
  private final List<Row> rows = new ArrayList<>();

  private LabelTable(int most, int seeds) {
    this.most = most;
    this.seeds = seeds;
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    List<String> words = new ArrayList<>(List.of(args));
    int rows = Integer.parseInt(option(words, "--rows", "50000"));
    int seeds = Integer.parseInt(option(words, "--seeds", "1"));
    String picture = option(words, "--picture", "");
    if (words.isEmpty()) {
      System.err.println("DATA_FOLDER [DATA_SET...] [--rows N] [--seeds N] [--picture FILE]");
      System.exit(2);
    }
    DataCache cache = new DataCache(Path.of(words.get(0)));
    LabelTable table = new LabelTable(rows, seeds);
    System.out.print(HEAD);
    for (String name : words.size() == 1 ? SETS : words.subList(1, words.size())) {
      System.out.print(table.row(StreamData.load(source(name), cache, true)));
    }
    if (!picture.isEmpty()) {
      Files.writeString(Path.of(picture), new LabelPicture(table.rows).svg());
    }
  }

  /** The value after a word, both of which are removed. */
  private static String option(List<String> words, String name, String otherwise) {
    int at = words.indexOf(name);
    if (at < 0) {
      return otherwise;
    }
    words.remove(at);
    return words.remove(at);
  }

  private static StreamData.Source source(String name) {
    return StreamData.ALL.stream()
        .filter(source -> source.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no data set is called '" + name + "'"));
  }

  private String row(StreamData data) {
    int count = Math.min(most, data.size());
    int runs = data.ordered() ? 1 : seeds;
    List<LabelRun> all = new ArrayList<>();
    List<LabelRun> budget = new ArrayList<>();
    List<LabelRun> random = new ArrayList<>();
    List<LabelRun> entropy = new ArrayList<>();
    for (int seed = 1; seed <= runs; seed++) {
      int[] order = data.order(seed);
      all.add(LabelRun.of(data, order, count, LabelRun.all()));
      budget.add(LabelRun.of(data, order, count, LabelRun.budget(SHARE, seed)));
      random.add(LabelRun.of(data, order, count, LabelRun.random(SHARE, count, seed)));
      if (data.task() == Task.CLASSIFICATION) {
        entropy.add(entropy(data, order, count, seed));
      }
    }
    LabelRun full = mean(all);
    double flatness = full.last() / full.fourth();
    String cells =
        String.format(
            Locale.ROOT,
            "| %s | %,d | %.2f | %s",
            data.name() + (data.ordered() ? " (in order)" : ""),
            count,
            flatness,
            DefaultTable.number(full.error()));
    rows.add(
        new Row(
            data.name(),
            flatness >= FLAT && !data.ordered(),
            mean(budget).error() / full.error(),
            mean(random).error() / full.error(),
            entropy.isEmpty() ? Double.NaN : mean(entropy).error() / full.error()));
    return cells
        + cell(mean(budget), full, "**", true)
        + cell(mean(random), full, "", false)
        + (entropy.isEmpty() ? " | – | – | –" : cell(mean(entropy), full, "", true))
        + " |\n";
  }

  private static String cell(LabelRun run, LabelRun full, String bold, boolean withShare) {
    return String.format(
        Locale.ROOT,
        " | %s%s%s%s | %+.1f %%",
        bold,
        DefaultTable.number(run.error()),
        bold,
        withShare ? String.format(Locale.ROOT, " | %.1f", 100 * run.share()) : "",
        100 * (run.error() / full.error() - 1));
  }

  /**
   * River's rule with the discount factor that, on this very stream, asks for the most labels
   * within the share: a user does not know it in advance.
   */
  private static LabelRun entropy(StreamData data, int[] order, int count, long seed) {
    double low = Math.log(0.1);
    double high = Math.log(20);
    LabelRun best = LabelRun.of(data, order, count, LabelRun.entropy(Math.exp(high), seed));
    for (int i = 0; i < SEARCH; i++) {
      double middle = (low + high) / 2;
      LabelRun run = LabelRun.of(data, order, count, LabelRun.entropy(Math.exp(middle), seed));
      if (run.share() <= SHARE) {
        high = middle;
        best = run.share() > best.share() ? run : best;
      } else {
        low = middle;
      }
    }
    return best;
  }

  private static LabelRun mean(List<LabelRun> runs) {
    return new LabelRun(
        runs.stream().mapToDouble(LabelRun::error).average().orElse(Double.NaN),
        runs.stream().mapToDouble(LabelRun::share).average().orElse(Double.NaN),
        runs.stream().mapToDouble(LabelRun::fourth).average().orElse(Double.NaN),
        runs.stream().mapToDouble(LabelRun::last).average().orElse(Double.NaN));
  }
}
