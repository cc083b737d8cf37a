// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.baselines.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTest {
  @TempDir Path folder;

  private static Plan whole() {
    Set<String> data = new HashSet<>();
    ExperimentData.ALL.forEach(set -> data.add(set.name()));
    return new Plan(data, new HashSet<>(Plan.STUDIES), 10, 0, false, Set.of());
  }

  @Test
  void everyNumberOfThePaperHasItsJobs() throws IOException {
    Set<String> keys = new HashSet<>();
    whole().runs().forEach(job -> assertTrue(keys.add(job.key()), job.key()));
    JsonNode paper = Report.resource("paper.json");
    for (String study : List.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS, Plan.BATCH)) {
      for (Map.Entry<String, JsonNode> data : paper.get(study).properties()) {
        for (Map.Entry<String, JsonNode> method : data.getValue().properties()) {
          String mode = study.equals(Plan.BATCH) ? "BATCH" : "ONLINE";
          String key = String.join("|", study, mode, data.getKey(), method.getKey(), "", "0", "1");
          assertTrue(method.getKey().equals("S") || keys.contains(key), key);
        }
      }
    }
  }

  @Test
  void jobsSurviveTheirJson() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    for (Job job : whole().runs()) {
      assertEquals(job, Job.of(mapper.readTree(mapper.writeValueAsString(job.toJson()))));
    }
    Job job = whole().runs().get(0);
    Settings found = Settings.standard().withSizes(7, 7);
    assertEquals(job.settings().budget(), job.withFound(found).settings().budget());
    assertEquals(job.key(), job.withFound(found).key());
  }

  @Test
  void resultsGoOnWhereTheyWereCut() throws IOException {
    Path file = folder.resolve("results.jsonl");
    List<Job> jobs = whole().runs().subList(0, 3);
    Results first = new Results(file);
    first.append(jobs.get(0).toJson().put("status", "done"));
    first.append(jobs.get(1).toJson().put("status", "failed"));
    Files.writeString(file, "{\"key\": \"cut", StandardOpenOption.APPEND);
    Results second = new Results(file);
    assertTrue(second.of(jobs.get(0)).isPresent());
    assertFalse(second.of(jobs.get(1)).isPresent(), "what failed is done again");
    second.append(jobs.get(1).toJson().put("status", "done"));
    Results third = new Results(file);
    assertTrue(third.of(jobs.get(1)).isPresent());
    assertEquals(2, third.all().size());
  }

  @Test
  void whatRanOutOfTimeIsNotTriedOnOtherOrders() throws IOException {
    Results results = new Results(folder.resolve("results.jsonl"));
    List<Job> jobs = whole().runs();
    Job first = jobs.get(0);
    Job second = jobs.get(1);
    Job other = jobs.get(10);
    assertEquals(first.method(), second.method());
    assertFalse(first.method().equals(other.method()));
    results.append(first.toJson().put("status", "done"));
    assertFalse(results.ranOutOfTime(second));
    results.append(first.toJson().put("status", "out of time"));
    assertTrue(results.ranOutOfTime(second));
    assertFalse(results.ranOutOfTime(other));
  }

  /** Results of which only the whole streams of MOA's learners count. */
  private Path arena() throws IOException {
    String line =
        """
        {"stream": "a9a", "learner": "%s", "title": "%s", "rows": %d, "status": "done", "error": %s, "instances": %d, "cpuSeconds": 3}
        """;
    return Files.writeString(
        folder.resolve("arena.jsonl"),
        line.formatted("moa-a", "Worse", 0, "17.0", 48842)
            + line.formatted("moa-b", "Better", 0, "16.0", 48842)
            + line.formatted("moa-c", "Part", 100, "12.0", 48842)
            + line.formatted("moa-d", "Others", 0, "12.0", 48841)
            + line.formatted("avm", "Ours", 0, "12.0", 48842));
  }

  @Test
  void reportHoldsTheirsAndOurs() throws IOException {
    Results results = new Results(folder.resolve("results.jsonl"));
    double[] errors = {17.3, 17.5};
    for (int seed = 1; seed <= 2; seed++) {
      for (String method : List.of("avm-hinge", "avm", "fogd")) {
        Job job =
            new Job(
                Plan.ONLINE_CLASSES,
                Job.Mode.ONLINE,
                "a9a",
                method,
                seed,
                "",
                0,
                0,
                1,
                Settings.standard());
        var node = job.toJson().put("status", "done");
        double shift = method.equals("fogd") ? 5 : 0;
        node.put("error", errors[seed - 1] + shift).put("trivial", 23.93);
        node.put("cpuSeconds", 1.5).put("size", 140).put("instances", 48842);
        node.putArray("curve").addArray().add(10).add(30).add(0.1);
        results.append(node);
      }
    }
    String text = Files.readString(Report.write(results, arena(), folder, false));
    assertTrue(
        text.contains(
            "| AVM-Hinge | 17.46 ± 0.12 | 17.40 ± 0.14 | yes | 8.74 | 1.50 | 140 (142) | 2 |"),
        text);
    assertTrue(text.contains("| FOGD | 20.11 ± 0.10 | 22.40 ± 0.14 | no |"), text);
    assertTrue(text.contains("| OGD | 16.50 ± 0.06 | not run |"), text);
    assertTrue(text.contains("| *trivial prediction* | | 23.93 |"), text);
    assertTrue(text.contains("[arena](arena.md): Better* | | 16.00 | | | 3.00 | | 1 |"), text);
    assertTrue(text.contains("1 of 2 methods lie within"), text);
    assertTrue(Files.exists(folder.resolve("images/reproduction/a9a-error-time.svg")));
    String quick = Files.readString(Report.write(results, folder.resolve("absent"), folder, true));
    assertTrue(quick.startsWith("# A quick run"), quick);
    assertFalse(quick.contains("Most baselines come out far better"), "a remark of the full run");
  }

  @Test
  void wrongOptionsAreExplained() throws Exception {
    assertEquals(2, Main.run(new String[] {"--datta", "x"}));
    assertEquals(2, Main.run(new String[] {"--tables", folder.toString()}));
    assertEquals(
        2, Main.run(new String[] {"--tables", folder.toString(), "--report", "--only", "b9b"}));
    assertEquals(0, Main.run(new String[] {"--help"}));
  }
}
