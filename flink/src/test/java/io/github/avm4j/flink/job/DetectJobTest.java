// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.Avm;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.pipeline.RowDetector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of mode detect as their files describe them. */
class DetectJobTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GOOD =
      """
      name: pumps
      mode: detect
      parallelism: 4
      detector: {per: key, alarm: 0.005, budget: 100, forgetting: 0.999, protection: false, seed: 3}
      input: {topic: rows, columns: [id, load, heat, site, pump], id: id, key: pump,
              features: {load: number, heat: number, site: [north, south]}}
      kafka: {bootstrap.servers: "localhost:9092"}
      output: {alarms: alarms, detections: all, bad-records: bad}
      """;
  private static final String STREAM =
      GOOD.replace("parallelism: 4\n", "")
          .replace("per: key, ", "")
          .replace("alarms: alarms", "folder: f");

  private static StreamConfig parse(String yaml) throws Exception {
    return StreamConfig.parse(yaml, null);
  }

  private static void refused(String yaml, String words) {
    ConfigException e = assertThrows(ConfigException.class, () -> parse(yaml), words);
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  void readsAJob() throws Exception {
    StreamConfig config = parse(GOOD);
    assertEquals(new DetectConfig(true), config.detect());
    RowDetector start = RowDetector.read(config.start().file());
    assertEquals(4, start.detector().features());
    assertEquals("site=north", start.schema().featureName(2));
    var settings = start.detector().config();
    assertEquals(0.005, settings.alarm());
    assertEquals(2000, settings.calibration());
    assertEquals(100, settings.budget());
    assertEquals(0.999, settings.forgetting());
    assertEquals(3, settings.seed());
    assertFalse(settings.protection());
    assertEquals(new DetectConfig(false), parse(STREAM).detect());
    RowDetector quiet = RowDetector.read(parse(STREAM.replace("0.005", "0.0001")).start().file());
    assertEquals(100_000, quiet.detector().config().calibration(), "ten are beyond the level");
  }

  @Test
  void theJobOfThePageCanBeRead() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "anomalies.md"));
    Matcher job = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertTrue(job.find());
    assertEquals(new DetectConfig(true), parse(job.group(1)).detect());
  }

  @Test
  void saysWhatIsWrongAndWhatToDo() {
    refused(GOOD.replace("per: key", "per: pump"), "detector.per must be one of stream, key");
    refused(GOOD.replace("alarm: 0.005", "alarm: 2"), "detector: alarm");
    refused(GOOD.replace("alarm: 0.005", "alarm: 0"), "detector.alarm must be at least");
    refused(GOOD.replace("budget: 100", "budgte: 100"), "unknown key detector.budgte");
    refused(GOOD.replace("budget: 100", "features: 4"), "detector.features is for LIBSVM");
    refused(GOOD + "learner: {task: regression}", "its settings are in detector");
    refused(
        GOOD.replace("key: pump", "label: pump"), "input.label is not allowed with mode: detect");
    refused(
        GOOD + "labels: {topic: feedback, columns: [load, heat, pump]}", "labels.label is missing");
    refused(GOOD + "keys: {start-topic: t}", "keys.start-topic is not allowed with mode: detect");
    refused(GOOD.replace("detections: all", "predictions: a"), "it has alarms and detections");
    refused(GOOD.replace("detections: all", "folder: f"), "needs detector.per: stream");
    refused(
        STREAM.replace("mode: detect", "mode: detect\nparallelism: 2"), "parallelism must be 1");
    refused(
        STREAM
            .replace("columns: [id, load, heat, site, pump]", "format: libsvm")
            .replaceAll("(?s)id: id, key.*?}}", "until: latest}"),
        "detector.features is missing");
    refused(
        GOOD.replace("mode: detect", "mode: global").replaceAll("detector: .*\n", "")
            + "learner: {task: regression}",
        "output.");
    refused(GOOD.replace("bootstrap.servers: \"localhost:9092\"", ""), "bootstrap.servers");
  }

  @Test
  void thePlanSaysHowManyDetectorsThereAre(@TempDir Path folder) throws Exception {
    String keyed = run(folder, "plan", GOOD);
    assertTrue(keyed.contains("a detector per key"), keyed);
    assertTrue(keyed.matches("(?s).*  detect +x4 .*"), keyed);
    String one = run(folder, "plan", STREAM);
    assertTrue(one.contains("a detector for the stream, in one subtask"), one);
    assertTrue(one.matches("(?s).*  detect +x1 .*"), one);
  }

  private static String run(Path folder, String command, String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("job.yaml"), yaml);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StreamMain.run(
        new String[] {command, file.toString()},
        new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A job of files into folders, which goes on from a saved detector. */
  @Test
  void runsAJobOfFilesHere(@TempDir Path folder) throws Exception {
    List<String> lines = new ArrayList<>();
    List<FeatureVector> rows = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 800; i++) {
      double load = random.nextInt(1000) / 1000.0;
      double heat = i % 200 == 199 ? 99 : load + random.nextInt(100) / 1000.0;
      lines.add("%d,%s,%s".formatted(i, load, heat));
      rows.add(FeatureVector.dense(load, heat));
    }
    Files.write(folder.resolve("rows.csv"), lines);
    StreamConfig blank =
        parse(
            """
            name: b
            mode: detect
            detector: {budget: 50}
            input: {files: [x], format: csv, columns: [id, load, heat], id: id}
            output: {alarms: a/b}
            """);
    RowDetector begun = RowDetector.read(blank.start().file());
    rows.subList(0, 300).forEach(begun.detector()::detectThenLearn);
    Avm.save(begun.toBytes(), folder.resolve("begun.avm"));
    String yaml =
        """
        name: pumps
        mode: detect
        start: begun.avm
        input: {files: ["%1$s/rows.csv"], format: csv, columns: [id, load, heat], id: id}
        output: {alarms: "%1$s/alarms", detections: "%1$s/all", folder: "%1$s/models"}
        """
            .formatted(folder.toUri().toString().replaceAll("/$", ""));
    run(folder, "run", yaml);
    checkDetections(folder, begun, rows);
    Path models = folder.resolve("models");
    String newest = Files.readString(models.resolve("pumps.latest")).strip();
    assertTrue(newest.endsWith("-000001.avm") || newest.endsWith("-000002.avm"), newest);
    assertArrayEquals(begun.toBytes(), Files.readAllBytes(models.resolve(newest)));
    ConfigException again = assertThrows(ConfigException.class, () -> run(folder, "run", yaml));
    assertTrue(again.getMessage().contains("begin a new lineage with --new"), again.getMessage());
    String other = yaml.replace("begun.avm", "begun.avm\ndetector: {alarm: 0.1}");
    ConfigException both = assertThrows(ConfigException.class, () -> run(folder, "plan", other));
    assertTrue(both.getMessage().contains("start and detector.alarm exclude"), both.getMessage());
  }

  private static void checkDetections(Path folder, RowDetector plain, List<FeatureVector> rows)
      throws IOException {
    Detector detector = plain.detector();
    List<JsonNode> all = read(folder.resolve("all"));
    List<JsonNode> alarms = read(folder.resolve("alarms"));
    assertEquals(rows.size(), all.size(), "each once");
    int seen = 0;
    for (int i = 0; i < rows.size(); i++) {
      JsonNode one = all.get(i);
      assertEquals(Integer.toString(i), one.path("id").asText());
      boolean alarm = detector.isAlarm(detector.pValue(rows.get(i)));
      assertEquals(alarm, one.path("alarm").asBoolean(), one.toString());
      assertEquals(detector.detectThenLearn(rows.get(i)), one.path("p_value").asDouble());
      assertEquals(detector.lastScore(), one.path("score").asDouble());
      if (alarm) {
        assertEquals(one, alarms.get(seen++));
        assertTrue(one.path("features").size() >= 1, one.toString());
      }
      assertEquals(!alarm, one.path("features").isMissingNode());
    }
    assertEquals(seen, alarms.size());
    assertTrue(seen >= 3, seen + " alarms");
    JsonNode spike = all.get(799);
    assertEquals("heat", spike.path("features").path(0).path("feature").asText(), "" + spike);
  }

  private static List<JsonNode> read(Path folder) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        assertTrue(file.toString().endsWith(".jsonl"), file.toString());
        for (String line : Files.readAllLines(file)) {
          all.add(JSON.readTree(line));
        }
      }
    }
    all.sort((a, b) -> Integer.compare(a.path("id").asInt(), b.path("id").asInt()));
    return all;
  }
}
