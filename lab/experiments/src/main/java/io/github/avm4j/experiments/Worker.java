// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.GridSearch;
import io.github.avm4j.baselines.comparison.PrequentialRun;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.HoldOut;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.lab.baselines.BatchMethod;
import io.github.avm4j.lab.baselines.HeldOutSearch;
import io.github.avm4j.lab.baselines.PaperMethods;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Predictor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A process that does one job after another: a line of JSON in, a line of JSON out. It keeps the
 * data set of its last job. Arguments: the data folder or "", the processor seconds a run may take.
 */
final class Worker {
  private static final int CURVE_POINTS = 50;

  /** Methods whose grid over all rows takes hours, and the rows they are searched on. */
  private static final Set<String> DEAR =
      Set.of("ogd", "projectron++", "fogd", "nogd", "bsgd-m", "bsgd-r", "libsvm", "llsvm");

  private static final int MOST_SEARCH_ROWS = 5000;
  private static final int LEAST_SEARCH_ROWS = 1000;
  private static final double LARGE_SHARE = 0.01;
  private static final double TEST_SHARE = 0.1;
  private static final double SMALL_TEST_SHARE = 0.2;

  /** Seeds of further passes, away from those of permutations. */
  private static final int PASS_SEEDS = 1000;

  private final Loader loader;
  private final double seconds;
  private String loadedName = "";
  private Loader.Split loaded = new Loader.Split(empty(), empty());

  Worker(Path folder, double seconds) {
    this.loader = new Loader(new DataCache(folder));
    this.seconds = seconds;
  }

  private static Table empty() {
    return new Table(java.util.List.of(), java.util.List.of());
  }

  /** Reads jobs until the end of input. */
  public static void main(String[] args) throws IOException {
    Worker worker = new Worker(Path.of(args[0]), Double.parseDouble(args[1]));
    ObjectMapper mapper = new ObjectMapper();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      ObjectNode result;
      JsonNode job = mapper.readTree(line);
      try {
        result = worker.run(Job.of(job));
      } catch (RuntimeException | IOException e) {
        result = ((ObjectNode) job).put("status", "failed").put("message", e.toString());
      }
      out.println(mapper.writeValueAsString(result));
    }
  }

  ObjectNode run(Job job) throws IOException {
    String name = job.data() + " " + job.rows();
    if (!name.equals(loadedName)) {
      loaded = new Loader.Split(empty(), empty());
      loaded = loader.load(ExperimentData.of(job.data()), job.rows());
      loadedName = name;
    }
    return switch (job.mode()) {
      case SEARCH -> search(job);
      case ONLINE -> online(job);
      case BATCH -> batch(job);
    };
  }

  private static Optional<BatchMethod> batchMethod(String name) {
    return BatchMethod.ALL.stream().filter(m -> m.name().equals(name)).findFirst();
  }

  private static Task task(Job job) {
    return ExperimentData.of(job.data()).task();
  }

  /** How many rows parameters are searched on: 1 % of a large set's, at most 5,000 if dear. */
  private static int searchSize(Job job, int all) {
    boolean large = ExperimentData.of(job.data()).large();
    int wanted = large ? Math.max(LEAST_SEARCH_ROWS, (int) (LARGE_SHARE * all)) : all;
    int limit = DEAR.contains(job.method()) ? MOST_SEARCH_ROWS : all;
    int most = job.rows() == 0 ? limit : Math.max(10, job.rows() / 8);
    return Math.min(all, Math.min(most, wanted));
  }

  private ObjectNode search(Job job) {
    // What is tested on rows held back is searched on the others.
    boolean all = loaded.test().size() > 0 || job.variant().equals(Plan.BY_ONLINE);
    Table pool = all ? loaded.train() : batchRows(job).train();
    Table rows = pool.shuffled(job.seed()).part(0, searchSize(job, pool.size()));
    long start = System.nanoTime();
    GridSearch found = search(job, rows);
    ObjectNode node = job.toJson().put("status", "done");
    node.set("found", Job.toJson(found.settings()));
    node.put("searchRows", rows.size()).put("tried", found.tried()).put("error", found.error());
    return node.put("wallSeconds", (System.nanoTime() - start) / 1e9);
  }

  private static GridSearch search(Job job, Table rows) {
    Optional<BatchMethod> batch = batchMethod(job.method());
    if (batch.isPresent()) {
      return HeldOutSearch.of(batch.get(), job.settings(), rows);
    }
    Method known = PaperMethods.of(job.method(), task(job));
    Method method =
        new Method(
            known.name(), known.title(), known.knobs(), (task, s) -> learner(job, s, rows.size()));
    return job.variant().equals(Plan.BY_ONLINE)
        ? GridSearch.online(method, task(job), job.settings(), rows)
        : HeldOutSearch.of(method, task(job), job.settings(), rows);
  }

  /** A learner of the job's method for so many rows. */
  private static OnlineLearner learner(Job job, Settings settings, int rows) {
    return Methods.isPaper(job.method())
        ? PaperVariant.learner(job, settings, rows)
        : PaperMethods.of(job.method(), task(job)).create(task(job), settings);
  }

  /**
   * The rows of a pass, in the order of the job's seed; all of them several times if it says so.
   */
  private Table stream(Job job) {
    Table rows = loaded.all().shuffled(job.seed());
    if (!job.study().equals(Plan.LENGTH)) {
      return rows;
    }
    for (int pass = 1; rows.size() < Plan.PAPER_ROWS; pass++) {
      rows = rows.and(loaded.all().shuffled(job.seed() + PASS_SEEDS * pass));
    }
    return rows.part(0, Plan.PAPER_ROWS);
  }

  private ObjectNode online(Job job) throws IOException {
    Table rows = stream(job);
    PrequentialRun run =
        PrequentialRun.of(
            learner(job, job.settings(), rows.size()),
            rows.instances(),
            rows.size(),
            CURVE_POINTS,
            seconds);
    CurvePoint end = run.end();
    ObjectNode node = job.toJson().put("status", run.finished() ? "done" : "out of time");
    figures(node, end.cumulative(), rows.size());
    node.put("seen", end.instances()).put("cpuSeconds", end.cpuSeconds());
    node.put("wallSeconds", end.wallSeconds()).put("size", end.corePoints());
    node.put("bytes", end.modelBytes());
    if (job.variant().isEmpty()) {
      ArrayNode curve = node.putArray("curve");
      for (CurvePoint point : run.points()) {
        double seconds = rounded(point.cpuSeconds());
        curve.addArray().add(point.instances()).add(rounded(point.error())).add(seconds);
      }
    }
    return node;
  }

  /** Five digits: a curve is drawn, not computed with. */
  private static double rounded(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(5)).doubleValue()
        : value;
  }

  private static void figures(ObjectNode node, Figures figures, int rows) {
    node.put("error", figures.error()).put("trivial", figures.baseline()).put("instances", rows);
  }

  /** Training and test rows; without test rows of its own, a part of a set's is held back. */
  private Loader.Split batchRows(Job job) {
    if (loaded.test().size() > 0) {
      return new Loader.Split(loaded.train().shuffled(job.seed()), loaded.test());
    }
    double share = ExperimentData.of(job.data()).large() ? TEST_SHARE : SMALL_TEST_SHARE;
    Table mixed = loaded.train().shuffled(1_000_003);
    int split = (int) ((1 - share) * mixed.size());
    return new Loader.Split(
        mixed.part(0, split).shuffled(job.seed()), mixed.part(split, mixed.size()));
  }

  private ObjectNode batch(Job job) throws IOException {
    Loader.Split rows = batchRows(job);
    Optional<BatchMethod> method = batchMethod(job.method());
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Predictor predictor;
    if (method.isPresent()) {
      predictor = method.get().trainer().train(rows.train().x(), rows.train().y(), job.settings());
    } else {
      OnlineLearner learner = learner(job, job.settings(), rows.train().size());
      IntStream.range(0, rows.train().size())
          .forEach(i -> learner.learn(rows.train().x().get(i), rows.train().y(i), 1));
      predictor = learner;
    }
    long trained = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Score score = Score.of(task(job), Score.DEFAULT_WINDOW);
    rows.train().targets().forEach(y -> score.observe(y, 1));
    score.freeze();
    HoldOut.score(predictor, rows.test().instances(), score);
    long tested = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    ObjectNode node = job.toJson().put("status", "done");
    figures(node, score.cumulative(), rows.test().size());
    node.put("cpuSeconds", (trained - start) / 1e9).put("testSeconds", (tested - trained) / 1e9);
    return node.put("size", predictor.size()).put("learned", rows.train().size());
  }
}
