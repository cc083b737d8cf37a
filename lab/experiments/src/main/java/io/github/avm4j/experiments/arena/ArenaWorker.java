// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.GridSearch;
import io.github.avm4j.baselines.comparison.PairDistances;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.baselines.comparison.UnitTarget;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.defaults.StreamData;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.lab.baselines.LearnerProvider;
import io.github.avm4j.lab.baselines.LearnerProvider.Input;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.learner.OnlineLearner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * A process for entries of the arena: a line of JSON in, a line of JSON out. Arguments: the data
 * folder, the processor seconds a pass may take.
 */
final class ArenaWorker {
  static final long SEED = 1;

  /** Rows that scaling and parameters of kernel methods are found on. */
  private static final int FIRST = 1000;

  /** Support vectors of the paper's competitors; four times as many frequencies. */
  private static final int BUDGET = 200;

  private static final int PAIRS = 2000;

  private final Path folder;
  private final double seconds;

  ArenaWorker(Path folder, double seconds) {
    this.folder = folder;
    this.seconds = seconds;
  }

  /** Reads entries until the end of input. */
  public static void main(String[] args) throws IOException {
    ArenaWorker worker = new ArenaWorker(Path.of(args[0]), Double.parseDouble(args[1]));
    ObjectMapper mapper = new ObjectMapper();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // What a library prints is no result.
    System.setOut(System.err);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      ObjectNode job = (ObjectNode) mapper.readTree(line);
      ObjectNode result;
      try {
        result = worker.run(job);
      } catch (RuntimeException | IOException e) {
        StackTraceElement[] where = e.getStackTrace();
        String at = where.length == 0 ? "" : " at " + where[0];
        result = job.put("status", "failed").put("message", e + at);
      }
      out.println(mapper.writeValueAsString(result));
    }
  }

  /** Runs an entry and adds its result to it. */
  ObjectNode run(ObjectNode job) throws IOException {
    ArenaStream stream = ArenaStream.of(job.get("stream").asText());
    Entrant entrant = entrant(job.get("learner").asText(), stream.task());
    int limit = job.get("rows").asInt();
    if (entrant.provider().isPresent()) {
      return other(job, stream, entrant, entrant.provider().get(), limit);
    }
    Method method = entrant.method().orElseThrow();
    StreamData data = encoded(stream, folder);
    int[] order = data.order(SEED);
    if (entrant.group() == Entrant.Group.OURS) {
      return pass(job, data, order, limit, method.create(data.task(), Settings.standard()));
    }
    data = scaled(data, order);
    List<FeatureVector> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int i = 0; i < Math.min(FIRST, order.length); i++) {
      x.add(data.x().get(order[i]));
      y.add(data.y().get(order[i]));
    }
    Table first = new Table(x, y);
    Method searched = data.task() == Task.REGRESSION ? inUnits(method, first) : method;
    int rows = limit == 0 ? order.length : Math.min(limit, order.length);
    Settings found = search(job, searched, data.task(), first);
    // λ was found as a multiple of 1/N.
    found = found.with(Knob.LAMBDA, found.lambda() * first.size() / rows);
    return pass(job, data, order, limit, searched.create(data.task(), found));
  }

  private static Entrant entrant(String name, Task task) {
    return Entrant.all(task, LearnerProvider.found()).stream()
        .filter(entrant -> entrant.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no learner for " + task + " is called " + name));
  }

  private ObjectNode other(
      ObjectNode job, ArenaStream stream, Entrant entrant, LearnerProvider provider, int limit)
      throws IOException {
    job.put("library", provider.library());
    if (provider.input(entrant.name()) == Input.ATTRIBUTES) {
      AttributeRows rows = AttributeRows.read(stream, folder);
      OnlineLearner learner = provider.create(entrant.name(), rows.header(), SEED);
      return pass(job, rows.data(), rows.data().order(SEED), limit, learner);
    }
    StreamData data = encoded(stream, folder);
    int[] order = data.order(SEED);
    data = scaled(data, order);
    int width = data.x().stream().mapToInt(FeatureVector::dimension).max().orElse(0);
    List<StreamHeader.Attribute> attributes = new ArrayList<>();
    for (int j = 0; j < width; j++) {
      attributes.add(StreamHeader.Attribute.number("x" + (j + 1)));
    }
    List<Double> labels =
        data.task() == Task.REGRESSION ? List.of() : List.copyOf(new TreeSet<>(data.y()));
    StreamHeader header = new StreamHeader(data.task(), attributes, labels);
    return pass(job, data, order, limit, provider.create(entrant.name(), header, SEED));
  }

  /** A stream with features as {@code avm evaluate} encodes them. */
  static StreamData encoded(ArenaStream stream, Path folder) throws IOException {
    ArenaStream.Input input = stream.input(folder);
    return StreamData.read(stream.source(), input.options(), input.files(), input.files());
  }

  /** Scales the features as the default learner would, by the first rows of the order. */
  private static StreamData scaled(StreamData data, int[] order) {
    List<FeatureVector> first =
        Arrays.stream(order).limit(FIRST).mapToObj(row -> data.x().get(row)).toList();
    Scaling.Scaler scaler = new Scaling.Scaler(ScalingFitter.fit(first, ScalingMode.AUTOMATIC));
    List<FeatureVector> x = new ArrayList<>(data.size());
    data.x().forEach(row -> x.add(scaler.scale(row).copy()));
    return new StreamData(data.name(), data.task(), data.ordered(), x, data.y());
  }

  /** The method with its target scaled to [0, 1], as in the paper. */
  private static Method inUnits(Method method, Table first) {
    return new Method(
        method.name(),
        method.title(),
        method.knobs(),
        (task, settings) -> UnitTarget.of(method.create(task, settings), first.targets()));
  }

  /** Parameters of the paper's grids by the prequential error of the first rows. */
  private static Settings search(ObjectNode job, Method method, Task task, Table first) {
    Settings base =
        Settings.standard()
            .withSizes(BUDGET, 4 * BUDGET)
            .withSeed(SEED)
            .withDelta(2 * PairDistances.of(first.x(), PAIRS, SEED).mean());
    if (method.knobs(task).isEmpty()) {
      return base;
    }
    Duration before = processor();
    Settings found = GridSearch.online(method, task, base, first).settings();
    job.put("searchSeconds", rounded(processor().minus(before).toMillis() / 1e3));
    ObjectNode settings = job.putObject("settings");
    for (Knob knob : method.knobs(task)) {
      double value =
          switch (knob) {
            case GAMMA -> found.gamma();
            case ETA -> found.eta();
            case LAMBDA -> found.lambda();
            case C -> found.c();
          };
      settings.put(knob.name().toLowerCase(java.util.Locale.ROOT), value);
    }
    return found;
  }

  private ObjectNode pass(
      ObjectNode job, StreamData data, int[] order, int limit, OnlineLearner learner) {
    int rows = limit == 0 ? order.length : Math.min(limit, order.length);
    Duration before = processor();
    Pass pass = Pass.of(data, order, rows, learner, seconds);
    double all = processor().minus(before).toMillis() / 1e3;
    job.put("status", pass.status().text).put("error", rounded(pass.error()));
    job.put("seen", pass.seen()).put("instances", rows).put("limit", seconds);
    job.put("cpuSeconds", rounded(pass.cpuSeconds()));
    job.put("micros", rounded(1e6 * pass.cpuSeconds() / Math.max(1, pass.seen())));
    job.put("processSeconds", rounded(all));
    ArrayNode parts = job.putArray("parts");
    pass.parts().forEach(part -> parts.add(rounded(part)));
    return job;
  }

  /** Of all threads of this process, with compilation and collection of garbage. */
  private static Duration processor() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static double rounded(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(6)).doubleValue()
        : value;
  }
}
