// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.data.Format;
import io.github.avm4j.feature.Column;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.SourceTransformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamConfigTest {
  private static final String GOOD =
      """
      name: flights
      parallelism: 1
      input:
        topic: examples
        format: csv
        columns: [delay, day, when, who, y]
        features: {delay: number, day: [mo, tu], when: date}
        label: y
        key: who
      learner: {classes: [late, fine], kind: paper, gamma: 1, delta: 1, lambda: 0.001, budget: 50}
      publish: {every: 30s}
      kafka: {bootstrap.servers: "localhost:9092", client.id: me}
      output: {models: models, scores: scores}
      checkpoints: {every: 2s}
      flink: {parallelism.default: 4}
      """;

  private static StreamConfig parse(String yaml) throws Exception {
    return StreamConfig.parse(yaml, null);
  }

  private static String toldOfTheEnd(String yaml, String from) throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
    Preflight.tellWhereItEnds(parse(yaml), from, out);
    return told.toString(StandardCharsets.UTF_8);
  }

  @Test
  void tellsThatASavepointDecidesWhereAJobEnds() throws Exception {
    String ending = GOOD.replace("topic: examples", "topic: examples\n  until: latest");
    assertTrue(toldOfTheEnd(ending, "file:///s").startsWith("input.until: latest holds where"));
    assertEquals("", toldOfTheEnd(ending, null));
    assertEquals("", toldOfTheEnd(GOOD, "file:///s"));
  }

  @Test
  void keysInRocksDbAreFoundByFiltersUnlessTheJobSaysOtherwise() throws Exception {
    String filter = "state.backend.rocksdb.use-bloom-filter";
    String index = "state.backend.rocksdb.memory.partitioned-index-filters";
    String keyed =
        GOOD.replace("parallelism: 1", "mode: keyed\nkeys: {state: rocksdb}")
            .replace("models: models, scores: scores", "predictions: a");
    assertEquals("rocksdb", parse(keyed).flink().get("state.backend.type"));
    assertEquals("true", parse(keyed).flink().get(filter));
    assertEquals("true", parse(keyed).flink().get(index));
    assertEquals("true", parse(keyed).flink().get("execution.checkpointing.incremental"));
    String other = keyed.replace("parallelism.default: 4", filter + ": false");
    assertEquals("false", parse(other).flink().get(filter));
    assertFalse(parse(GOOD).flink().containsKey(filter));
  }

  @Test
  void transactionsMustOutliveSomeCheckpoints() throws Exception {
    String known = GOOD.replace("client.id: me", "client.id: me, transaction.timeout.ms: %s");
    StreamConfig shortest = parse(known.formatted(16_000));
    assertEquals("16000", shortest.transactionTimeout());
    assertEquals(Duration.ofSeconds(12), shortest.deadline());
    assertEquals(Duration.ofSeconds(304), parse(GOOD).deadline());
    String words =
        "kafka.transaction.timeout.ms must be at least eight times checkpoints.every, 16000"
            + " milliseconds, was ";
    refused(known.formatted(15_999), words + "15999");
    refused(known.formatted("long"), words + "long");
    refused(
        GOOD.replace("every: 2s", "every: 2m"),
        "at least eight times checkpoints.every, 960000 milliseconds, was 600000");
    refused(GOOD.replace("every: 2s", "every: 0s"), "checkpoints.every must be above 0");
    String pause = "execution.checkpointing.min-pause: 2 min";
    refused(GOOD.replace("parallelism.default: 4", pause), "960000 milliseconds, was 600000");
  }

  @Test
  void rowsMayBeWrittenAtLeastOnceVersionsNot() throws Exception {
    String both = GOOD.replace("models: models,", "models: models, predictions: p, %s");
    StreamConfig once = parse(both.formatted(""));
    StreamConfig least = parse(both.formatted("delivery: at-least-once,"));
    for (String kind : List.of("models", "scores")) {
      assertTrue(once.isTransactional(kind) && least.isTransactional(kind), kind);
    }
    assertTrue(once.isTransactional("predictions"));
    assertFalse(least.isTransactional("predictions"));
    assertFalse(once.isTransactional("folder"));
    refused(both.formatted("delivery: twice,"), "output.delivery must be one of exactly-once");
    String rows = GOOD.replace("models: models, scores: scores", "predictions: p, %s");
    String slow = rows.replace("every: 2s", "every: 3m");
    refused(slow.formatted("keep: 1"), "at least eight times checkpoints.every");
    assertFalse(parse(slow.formatted("delivery: at-least-once")).exactlyOnce());
  }

  @Test
  void disorderAndIdlenessAreDurations() throws Exception {
    String known = GOOD.replace("key: who", "key: who\n  disorder: 2m\n  idle: 5s");
    assertEquals(Duration.ofMinutes(2), parse(known).input().disorder());
    assertEquals(Duration.ofSeconds(5), parse(known).input().idle());
    assertEquals(Duration.ofSeconds(10), parse(GOOD).input().disorder());
    assertEquals(Duration.ofSeconds(30), parse(GOOD).input().idle());
    refused(known.replace("2m", "2"), "input.disorder must be a duration");
    refused(known.replace("5s", "0s"), "input.idle must be longer than 0s");
  }

  @Test
  void readsAJob() throws Exception {
    StreamConfig config = parse(GOOD);
    assertEquals(1, config.parallelism());
    assertEquals(30_000, config.schedule().millis());
    assertEquals("me", config.kafka().get("client.id"));
    assertEquals("2000 ms", config.flink().get("execution.checkpointing.interval"));
    assertEquals("4", config.flink().get("parallelism.default"));
    assertEquals(Format.CSV, config.input().text().format());
    RowModel start = RowModel.read(config.start().file());
    assertEquals(List.of("late", "fine"), start.classNames());
    assertEquals(
        List.of(Column.Kind.NUMBER, Column.Kind.CATEGORY, Column.Kind.DATE),
        start.schema().columns().stream().map(Column::kind).toList());
    assertEquals("y", start.target());
    assertEquals(Duration.ZERO, config.timeToLive());
  }

  @Test
  void theDefaultLearnersBoundsCanBeTold() throws Exception {
    String auto = GOOD.replace("kind: paper, gamma: 1, delta: 1, lambda: 0.001, ", "");
    StreamConfig config = parse(auto.replace("budget: 50", "budget: 50, cells: 70"));
    AutoLearner learner = (AutoLearner) RowLearner.read(config.start().file()).learner();
    assertEquals(50, learner.settings().budget());
    assertEquals(70, learner.settings().cells());
    refused(auto.replace("budget: 50", "cells: -1"), "learner.cells must be a whole number");
    refused(GOOD.replace("budget: 50", "cells: 0"), "unknown key learner.cells");
  }

  @Test
  void labelsAreAskedForInPredictionsOfGlobalAndKeyedJobs() throws Exception {
    String asks = GOOD.replace("models: models,", "predictions: a, label-share: 0.2,");
    assertEquals(0.2, parse(asks).labelShare());
    assertEquals(0, parse(GOOD).labelShare());
    refused(asks.replace("0.2", "20"), "output.label-share must be a share above 0 and at most 1");
    refused(asks.replace("0.2", "few"), "output.label-share must be a number");
    refused(asks.replace("predictions: a,", "models: m,"), "output.label-share requires");
  }

  @Test
  void theTruthIsALabelOfClassesAndATargetOfNumbers() throws Exception {
    String numbers = GOOD.replace("classes: [late, fine], ", "task: regression, ");
    assertEquals("y", parse(numbers.replace("label: y", "target: y")).input().text().label());
    refused(numbers, "input.label is of classes; write input.target for a regression");
    refused(GOOD.replace("label: y", "target: y"), "write input.label for classes");
    refused(GOOD.replace("label: y", "label: y\n  target: y"), "input.target must be left out");
    refused(
        GOOD.replace("classes:", "task: regression, classes:"),
        "learner.classes is not allowed with task: regression; remove it");
  }

  @Test
  void intervalsAreOfLevelsThatTheLearnerKeeps() throws Exception {
    String intervals = GOOD.replace("models: models,", "predictions: a, level: 0.9,");
    String auto = intervals.replace("kind: paper, gamma: 1, delta: 1, lambda: 0.001, ", "");
    assertEquals(0.9, parse(auto).level());
    assertEquals(0, parse(GOOD).level());
    refused(intervals, "output.level: this learner keeps no intervals");
    refused(
        auto.replace("level: 0.9", "level: 0.7"),
        "output.level: the learner keeps intervals of [0.8, 0.9, 0.95], not of 0.7");
    refused(auto.replace("level: 0.9", "level: much"), "output.level must be a number");
    refused(auto.replace("predictions: a", "models: m"), "requires output.predictions");
  }

  @Test
  void saysWhatIsWrongAndWhere() {
    refused(GOOD.replace("parallelism: 1", "shrads: 4"), "unknown key shrads");
    refused(GOOD.replace("budget: 50", "budgte: 50"), "unknown key learner.budgte");
    refused(GOOD.replace("parallelism: 1", "parallelism: 0"), "parallelism must be a whole number");
    refused(GOOD.replace("parallelism: 1", "parallelism: 2"), "parallelism must be 1");
    refused(GOOD.replace("name: flights", "name: a/b"), "name must be");
    refused(GOOD.replace("topic: examples", "until: latest"), "input.topic or input.files");
    refused(GOOD.replace("label: y", "label: z"), "no column is named z");
    refused(GOOD.replace("when: date", "when: dtae"), "input.features.when must be");
    refused(GOOD.replace("when: date", "wehn: date"), "input.features.wehn is not among");
    refused(GOOD.replace("classes: [late, fine], ", ""), "learner.classes is missing");
    refused(GOOD.replace("every: 30s", "every: soon"), "publish.every must be");
    refused(GOOD.replace("every: 2s", "every: 2"), "checkpoints.every must be a duration such as");
    refused(GOOD.replace("bootstrap.servers: \"localhost:9092\", ", ""), "bootstrap.servers");
    refused(GOOD.replace("{models: models, scores: scores}", "{}"), "output must name");
    refused(GOOD.replace("parallelism: 1", "parallelism: 1\nparallelism: 2"), "not YAML");
    refused(GOOD.replace("parallelism: 1", "mode: keyed"), "output.models is of global mode");
    refused(GOOD.replace("delta: 1, ", ""), "learner.gamma, delta and lambda");
    refused(GOOD.replace("models: models", "models: models, keep: -1"), "output.keep must be");
    refused(GOOD.replace("label: y\n", "label: y\n  ahead: soon\n"), "input.ahead must be");
    refused("[1, 2]", "the file must be a map");
    refused("a: &a [*a]", "name is missing");
    refused("a: [", "not YAML");
    refused("!!java.io.File {path: x}", "not YAML");
  }

  private static void refused(String yaml, String words) {
    ConfigException e = assertThrows(ConfigException.class, () -> parse(yaml), words);
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  void thePlanShowsTheOperatorsAndStartsNothing(@TempDir Path folder) throws Exception {
    String plan = plan(folder, GOOD);
    for (String expected : List.of("learn ", "x1 ", "publish", "models go to models")) {
      assertTrue(plan.contains(expected), expected + " in\n" + plan);
    }
  }

  @Test
  void jobsOfKeysAndOfLateLabelsCanBePlanned(@TempDir Path folder) throws Exception {
    String keyed =
        GOOD.replace("parallelism: 1", "mode: keyed\nkeys: {state: rocksdb, start-topic: t}")
            .replace("{models: models, scores: scores}", "{predictions: a, bad-records: b}");
    assertTrue(plan(folder, keyed).contains("learn-keys"));
    String late =
        GOOD.replace("        label: y\n", "").replace("  label: y\n", "")
            + "labels: {topic: l, format: csv, columns: [who, y], id: who, label: y, within: 5m}"
            + "\n";
    String plan = plan(folder, late);
    assertTrue(plan.contains("join-labels"));
    assertTrue(plan.contains(" x1 "), plan);
    assertFalse(plan.matches("(?s).* x[2-9].*"), "one slot is enough:\n" + plan);
  }

  /** What is read ahead would pile up in the join. */
  @Test
  void ofRowsAndLabelsTheTopicThatIsAheadWaits() throws Exception {
    StreamConfig config =
        parse(
            GOOD.replace("  label: y\n", "  id: who\n")
                + "labels: {topic: l, format: csv, columns: [who, y], id: who, label: y}\n");
    var env = StreamExecutionEnvironment.createLocalEnvironment(JobOptions.of(config));
    StreamJob.build(env, config);
    Set<String> groups = new TreeSet<>();
    for (Transformation<?> sink : env.getTransformations()) {
      for (Transformation<?> one : sink.getTransitivePredecessors()) {
        if (one instanceof SourceTransformation<?, ?, ?> source) {
          WatermarkAlignmentParams ahead = source.getWatermarkStrategy().getAlignmentParameters();
          groups.add(
              "%s %s %d"
                  .formatted(
                      source.getUid(),
                      ahead.getWatermarkGroup(),
                      ahead.getMaxAllowedWatermarkDrift()));
        }
      }
    }
    assertEquals(Set.of("examples join-labels 3600000", "labels join-labels 3600000"), groups);
  }

  /** Each operator must have a uid, or the graph that is sent cannot be made. */
  @Test
  void whatIsSentIsBuiltInEveryModeWithAllOutputs(@TempDir Path folder) throws Exception {
    String rows = "predictions: p, bad-records: b, delivery: %s";
    String labels =
        GOOD.replace("  label: y\n", "  id: who\n")
            + "labels: {topic: l, format: csv, columns: [who, y], id: who, label: y}\n";
    String auto = "kind: paper, gamma: 1, delta: 1, lambda: 0.001, ";
    for (String delivery : List.of("exactly-once", "at-least-once")) {
      String all = "models: m, folder: \"/f\", learners: n, scores: s, " + rows.formatted(delivery);
      plan(folder, GOOD.replace("models: models, scores: scores", all));
      plan(folder, labels.replace("models: models, scores: scores", all));
      String keyed =
          plan(
              folder,
              GOOD.replace("parallelism: 1", "mode: keyed\nparallelism: 3\nkeys: {start-topic: t}")
                  .replace("models: models, scores: scores", rows.formatted(delivery)));
      for (String sink : List.of("predictions", "bad-records")) {
        assertTrue(keyed.matches("(?s).*  " + sink + ": Writer +x3 .*"), keyed);
      }
      plan(
          folder,
          GOOD.replace("parallelism: 1", "mode: cells\nparallelism: 3")
              .replace(auto, "")
              .replace("models: models, scores: scores", all.replace("learners: n, ", "")));
      for (String per : List.of("stream", "key")) {
        plan(
            folder,
            GOOD.replace("parallelism: 1", "mode: detect\ndetector: {per: " + per + "}")
                .replace("        label: y\n", "")
                .replace("  label: y\n", "")
                .replaceAll("learner: .*\n", "")
                .replace("models: models, scores: scores", "alarms: a, detections: d/"));
      }
    }
  }

  @Test
  void foldersOfCheckpointsNeedNoScheme() throws Exception {
    for (String key : List.of("execution.checkpointing.dir", "state.checkpoints.dir")) {
      String known = GOOD.replace("parallelism.default: 4", key + ": \"%s\"");
      assertEquals("file:///a/b", option(known.formatted("/a/b"), key));
      assertEquals("s3://a/b", option(known.formatted("s3://a/b"), key));
    }
    String folder = GOOD.replace("every: 2s", "every: 2s, folder: /a/b");
    assertEquals("file:///a/b", option(folder, "execution.checkpointing.dir"));
  }

  private static String option(String yaml, String key) throws Exception {
    return JobOptions.of(parse(yaml)).toMap().get(key);
  }

  @Test
  void thePlanTellsNoSecrets(@TempDir Path folder) throws Exception {
    String plan =
        plan(
            folder,
            GOOD.replace("client.id: me", "client.id: me, sasl.jaas.config: hush, x.password: hush")
                .replace("default: 4}", "default: 4, s3.secret-key: hush, a.token: hush}")
                .replace(
                    "{models: models,", "{models: models, folder: \"s3://me:hush@bucket/m\","));
    assertFalse(plan.contains("hush"), plan);
    for (String shown : List.of("s3.secret-key: ******", "sasl.jaas.config: ******", "id: me")) {
      assertTrue(plan.contains(shown), plan);
    }
  }

  @Test
  void flinksOptionsHaveTheLastWord() throws Exception {
    StreamConfig config =
        parse(
            GOOD.replace(
                "parallelism.default: 4",
                "restart-strategy.type: none, pipeline.name: other,"
                    + " execution.checkpointing.interval: 7 s"));
    var options = JobOptions.of(config);
    assertEquals("other", JobOptions.name(options));
    assertEquals("none", options.toMap().get("restart-strategy.type"));
    assertEquals("7 s", options.toMap().get("execution.checkpointing.interval"));
  }

  @Test
  void fromAndNewExcludeEachOther(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("job.yaml"), GOOD);
    for (String[] args :
        new String[][] {
          {"run", file.toString(), "--from", "file:/s", "--new"},
          {"run", file.toString(), "--from"},
          {"plan", file.toString(), "--new"}
        }) {
      assertThrows(ConfigException.class, () -> StreamMain.run(args, System.out));
    }
  }

  private static String plan(Path folder, String yaml) throws Exception {
    Path file = folder.resolve("job.yaml");
    Files.writeString(file, yaml);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StreamMain.run(
        new String[] {"plan", file.toString()},
        new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void runsAJobOfFilesHere(@TempDir Path folder) throws Exception {
    Path part = folder.resolve("part-1.libsvm");
    Path more = folder.resolve("part-2.libsvm.gz");
    List<String> lines =
        new ArrayList<>(LongStream.range(0, 700).mapToObj(TestStream::line).toList());
    lines.add(300, "no row");
    lines.add(400, "1 1:nan");
    Files.write(part, lines);
    try (var out = new GZIPOutputStream(Files.newOutputStream(more))) {
      for (long i = 700; i < 1234; i++) {
        out.write((TestStream.line(i) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = folder.resolve("job.yaml");
    Files.writeString(
        file,
        """
        name: files
        input: {format: libsvm, files: ["%s", "%s"]}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        output: {folder: "%s"}
        """
            .formatted(part.toUri(), more.toUri(), folder.resolve("models").toUri()));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    StreamMain.run(
        new String[] {"run", file.toString()}, new PrintStream(said, true, StandardCharsets.UTF_8));
    String last = said.toString(StandardCharsets.UTF_8).lines().reduce((a, b) -> b).orElse("");
    assertTrue(
        last.matches(
            "ended: 1234 rows, error [0-9.]+ % \\(predicting the most frequent class so far:"
                + " [0-9.]+ %\\), 1 model, 2 bad records"),
        last);
    Path models = folder.resolve("models");
    String newest = Files.readString(models.resolve("files.latest")).strip();
    assertTrue(
        newest.matches("files-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-000001.avm"), newest);
    assertArrayEquals(TestStream.expected(1234), Files.readAllBytes(models.resolve(newest)));
  }

  @Test
  void aClusterIsHostAndPort() {
    assertEquals(8081, StreamMain.address("h").getPort());
    assertEquals(1, StreamMain.address("h:1").getPort());
    assertEquals("h", StreamMain.address("h:1").getHostString());
    assertThrows(ConfigException.class, () -> StreamMain.address("h:99999"));
    assertThrows(ConfigException.class, () -> StreamMain.address(":8081"));
  }
}
