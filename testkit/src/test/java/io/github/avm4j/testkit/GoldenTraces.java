// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Huber;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WhenFull;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A program of its own that follows engines over streams and prints, per stream, a hash of all that
 * they gave so far at each fifth of it, and one of their model at the end: so the first line that
 * differs tells which engine changed, and the first hash on it when. It runs each stream twice, the
 * second time with an engine that is written and read again at five points; if that changes
 * anything, it says so and fails.
 *
 * <p>A change of the code that is to change no result leaves every bit as it is, which no tolerance
 * shows. Bits hold for one processor architecture and without SIMD, whose sums have another order.
 */
final class GoldenTraces {
  private static final int PARTS = 5;

  /** What is followed: it gives numbers for one row after the other, and can be stored. */
  private interface Followed {
    void step(int row, Hash hash);

    Followed restored() throws InvalidModelException;

    /** What it gives at the end, besides. */
    void end(Hash hash) throws InvalidModelException;
  }

  /** Depends on the bits of all numbers it was given, and on their order. */
  private static final class Hash {
    private long value = 1;

    void add(double number) {
      value =
          (Long.rotateLeft(value, 23) ^ Double.doubleToLongBits(number)) * 0x9E3779B97F4A7C15L + 1;
    }

    void addAll(double[] numbers) {
      Arrays.stream(numbers).forEach(this::add);
    }

    void addAll(FeatureVector x) {
      for (int k = 0; k < x.count(); k++) {
        add(x.isSparse() ? x.indices()[k] : k);
        add(x.values()[k]);
      }
    }

    @Override
    public String toString() {
      return "%08x".formatted((int) (value ^ value >>> 32));
    }
  }

  private GoldenTraces() {}

  public static void main(String[] arguments) throws InvalidModelException {
    for (Map.Entry<String, Trace> trace : traces().entrySet()) {
      String through = trace.getValue().hashes(false);
      System.out.println(trace.getKey() + " " + through);
      String resumed = trace.getValue().hashes(true);
      if (!through.equals(resumed)) {
        System.out.println("resumed at five points it gives " + resumed);
        System.exit(2);
      }
    }
  }

  /** A stream's length and what follows it. */
  private record Trace(int rows, Supplier<Followed> fresh) {
    String hashes(boolean resume) throws InvalidModelException {
      StringBuilder line = new StringBuilder();
      Hash hash = new Hash();
      Followed followed = fresh.get();
      for (int i = 0; i < rows; i++) {
        followed.step(i, hash);
        if (resume && i % (rows / PARTS) == rows / PARTS / 3) {
          followed = followed.restored();
        }
        if ((i + 1) % (rows / PARTS) == 0) {
          line.append(hash).append(' ');
        }
      }
      followed.end(hash);
      return line.append(hash).toString();
    }
  }

  private static Map<String, Trace> traces() {
    Map<String, Trace> traces = new LinkedHashMap<>();
    secondOrder(traces);
    paper(traces);
    traces.put("detector", new Trace(1_500, () -> new FollowedDetector(detector())));
    traces.put("rows, cells", new Trace(20, FollowedCells::new));
    traces.put("rows, learned", new Trace(600, FollowedRows::fresh));
    return traces;
  }

  private static SecondOrderConfig.Builder classes(double gamma, int budget) {
    return SecondOrderConfig.builder(Task.CLASSIFICATION)
        .kernel(new Gaussian(gamma))
        .budget(budget);
  }

  private static SecondOrderConfig.Builder numbers(double gamma, int budget) {
    return SecondOrderConfig.builder(Task.REGRESSION).kernel(new Matern32(gamma)).budget(budget);
  }

  /** Each stream brings a state of the second-order engine that no other brings. */
  private static void secondOrder(Map<String, Trace> traces) {
    put(traces, "dense, exchange", classes(20, 40), Streams.checkerboard(4, 2_000, 1));
    put(traces, "sparse", classes(0.5, 30), Streams.sparse(3, 500, 4, 1_500, 2));
    put(traces, "postings", classes(0.5, 30), Streams.sparse(2, 9_000_000, 4, 1_500, 3));
    put(
        traces,
        "drift, forgetting",
        classes(3, 40).forgetting(0.998),
        Streams.abruptDrift(3, 5, 2_000, 4));
    put(
        traces,
        "drift, not replacing",
        classes(3, 20).forgetting(0.9999).replacing(false),
        Streams.gradualDrift(2, 4, 2_000, 5));
    put(traces, "regression", numbers(2, 50), Streams.noisySine(4, 2_000, 0.1, 6));
    put(
        traces,
        "regression, exact",
        numbers(2, 60).novelty(1e-2),
        Streams.noisySine(2, 2_000, 0, 7));
    put(
        traces,
        "regression, forgetting, Huber",
        numbers(2, 30).forgetting(0.998).loss(new Huber(0.2)),
        Streams.sorted(Streams.noisySine(3, 2_000, 0.1, 8)));
    put(
        traces,
        "weights",
        classes(5, 40).skip(0),
        Streams.weighted(Streams.blobs(2, 6, 2_000, 9), 10));
    put(traces, "many classes", classes(2, 60), Streams.blobs(26, 8, 2_000, 11));
    put(
        traces,
        "declared labels",
        classes(2, 40).labels(4, 7, 1, 2, 0, 3).features(3),
        Streams.blobs(5, 3, 1_500, 12));
    put(traces, "bound on memory", classes(2, 200).memory(60_000), Streams.blobs(6, 10, 2_000, 13));
    put(
        traces,
        "one class after the other",
        classes(2, 40),
        Streams.clustered(Streams.blobs(4, 4, 2_000, 14)));
  }

  private static void put(
      Map<String, Trace> traces,
      String name,
      SecondOrderConfig.Builder settings,
      List<Instance> rows) {
    SecondOrderConfig config = settings.build();
    follow(traces, "second order, " + name, rows, () -> Avm.learner(config));
  }

  private static void paper(Map<String, Trace> traces) {
    follow(
        traces,
        "paper, binary, suffix average",
        Streams.checkerboard(3, 2_000, 15),
        () ->
            Avm.paperClassifier()
                .kernel(new Laplacian(4))
                .delta(0.1)
                .lambda(0.001)
                .approximation(new Bernoulli(2, 0.5))
                .output(new SuffixAverage(0.3, 0))
                .seed(99)
                .build());
    follow(
        traces,
        "paper, many classes, boxes, budget",
        Streams.weighted(Streams.blobs(5, 3, 2_000, 16), 17),
        () ->
            Avm.paperClassifier()
                .kernel(new Matern52(2))
                .loss(new SmoothHinge(0.25))
                .coverage(new Hyperrectangle(0.3))
                .lambda(0.001)
                .budget(30)
                .whenFull(WhenFull.REFUSE)
                .build());
    follow(
        traces,
        "paper, sparse",
        Streams.sparse(2, 9_000_000, 4, 2_000, 18),
        () -> Avm.paperClassifier().gamma(0.5).delta(0.4).lambda(0.001).build());
    follow(
        traces,
        "paper, regression, average",
        Streams.noisySine(3, 2_000, 0.1, 19),
        () ->
            Avm.paperRegressor()
                .gamma(5)
                .delta(0.2)
                .lambda(0.001)
                .output(new UniformAverage())
                .build());
  }

  private static void follow(
      Map<String, Trace> traces, String name, List<Instance> rows, Supplier<Learner> fresh) {
    traces.put(name, new Trace(rows.size(), () -> new FollowedLearner(fresh.get(), rows)));
  }

  /** A learner: its predictions and scores before it learns each row. */
  private record FollowedLearner(Learner learner, List<Instance> rows) implements Followed {
    @Override
    public void step(int row, Hash hash) {
      Instance one = rows.get(row);
      double[] scores = new double[Math.max(1, learner.classes())];
      hash.add(learner.predictThenLearn(one.x(), one.y(), one.weight(), scores));
      hash.addAll(scores);
      hash.add(learner.size());
    }

    @Override
    public Followed restored() throws InvalidModelException {
      return new FollowedLearner(Learner.fromBytes(learner.toBytes()), rows);
    }

    @Override
    public void end(Hash hash) throws InvalidModelException {
      Model model = learner.snapshot();
      List<Instance> last = rows.subList(rows.size() - 100, rows.size());
      for (Predictor one : List.of(model, Avm.modelFromBytes(Avm.toBytes(model)))) {
        hash.addAll(LearnerChecks.answers(one, last));
      }
    }
  }

  private static Detector detector() {
    return Avm.detector().budget(40).calibration(200).seed(7).build();
  }

  /** A detector of blobs among which every fiftieth row is far, with feedback on some of them. */
  private record FollowedDetector(Detector detector) implements Followed {
    private static final List<Instance> ROWS = Streams.blobs(3, 4, 1_500, 20);

    @Override
    public void step(int row, Hash hash) {
      FeatureVector x = ROWS.get(row).x().copy();
      if (row % 50 == 49) {
        x.values()[row % 4] += 2;
      }
      hash.add(detector.detectThenLearn(x));
      hash.add(detector.lastScore());
      if (row % 150 == 149) {
        detector.feedback(x, row % 300 == 149);
      }
    }

    @Override
    public Followed restored() throws InvalidModelException {
      return new FollowedDetector(Detector.fromBytes(detector.toBytes()));
    }

    @Override
    public void end(Hash hash) {
      hash.add(detector.size());
    }
  }

  /** Twenty random schemas, fifty rows of raw cells each: what their cells mean. */
  private record FollowedCells() implements Followed {
    @Override
    public void step(int row, Hash hash) {
      RawRows raw = new RawRows(row);
      RawRows.Door door = new RawRows.Door(raw.schema(), raw.names());
      for (int i = 0; i < 50; i++) {
        String meaning = door.meaning(RawRows.inJava(raw.row(false), raw.names()));
        meaning.chars().forEach(hash::add);
      }
    }

    @Override
    public Followed restored() {
      return this;
    }

    @Override
    public void end(Hash hash) {}
  }

  /** Rows of a random schema, whose categories become known on the way, and a learner of them. */
  private record FollowedRows(RowLearner learner, RawRows raw) implements Followed {
    static Followed fresh() {
      RawRows raw = new RawRows(5);
      return new FollowedRows(
          new RowLearner(raw.schema(), "target", Avm.learner(classes(0.1, 40).build())), raw);
    }

    @Override
    public void step(int row, Hash hash) {
      Row cells = RawRows.inJava(raw.row(false), raw.names());
      cells.setLabel(List.of("yes", "no", "perhaps").get(row * row % 7 % 3));
      FeatureVector x = learner.encoder(raw.names()).encode(cells);
      hash.addAll(x);
      hash.add(learner.learner().predictThenLearn(x, learner.target(cells)));
    }

    @Override
    public Followed restored() throws InvalidModelException {
      return new FollowedRows(RowLearner.read(learner.toBytes()), raw);
    }

    @Override
    public void end(Hash hash) throws InvalidModelException {
      RowModel model = learner.snapshot();
      for (RowModel one : List.of(model, RowModel.read(model.toBytes()))) {
        RowEncoder encoder = one.schema().encoder(raw.names());
        for (int i = 0; i < 50; i++) {
          Row cells = RawRows.inJava(raw.row(false), raw.names());
          double[] scores = new double[one.model().classes()];
          one.model().scores(encoder.encode(cells), scores);
          hash.addAll(scores);
        }
      }
    }
  }
}
