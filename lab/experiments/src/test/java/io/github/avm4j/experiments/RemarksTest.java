// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every number in a sentence of lab/results/reproduction.md is in the raw results, or is no result;
 * every figure of the pages that quote results has a cell in a table of lab/results, or a reason.
 */
class RemarksTest {
  private static final Path RESULTS = Path.of("..", "results", "reproduction.jsonl");
  private static final Path ARENA = Path.of("..", "results", "arena.jsonl");
  private static final Path PAGE = Path.of("..", "results", "reproduction.md");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,]*(?:\\.[0-9]+)?");

  /** What is neither a result nor a name with digits: slots, code, links, data sets, powers. */
  private static final Pattern NO_LITERAL =
      Pattern.compile(
          "\\{[^{}]*\\}|```[^`]*```|`[^`]*`|\\]\\([^)]*\\)|\\[decision [0-9]+|kddcup99|ijcnn1|a9a|w8a|AVM-ℓ[12]");

  /** Numbers of the protocol, which no run gives, and what they are. */
  private static final Map<String, String> PROTOCOL =
      Map.ofEntries(
          Map.entry("18", "the paper's volume"),
          Map.entry("111", "the paper's number"),
          Map.entry("2017", "the paper's year"),
          Map.entry("9", "the paper's section of experiments"),
          Map.entry("2", "Figure 2a of the paper, 2⁻⁸"),
          Map.entry("3", "Figure 3a of the paper"),
          Map.entry("4", "Algorithm 4, D = 4B"),
          Map.entry("1", "1 % of a large set; Figure 1; δ = 1 of cod-rna"),
          Map.entry("500", "cells of the authors' script for ijcnn1, and of an earlier version"),
          Map.entry("1,000", "cells of the authors' program; least rows of a search"),
          Map.entry("5,000", "rows of an expensive search"),
          Map.entry("250", "1 % of 25,010"),
          Map.entry("180", "seconds after which LIBSVM was stopped"),
          Map.entry("331,152", "59,535 + 271,617"),
          Map.entry("0.4", "smallest δ of the study, as a share and on cod-rna"),
          Map.entry("1.75", "largest δ of the study, as a share"),
          Map.entry("2.8", "0.4 times 7"),
          Map.entry("0", "β = 0"),
          Map.entry("10", "largest β"),
          Map.entry("0.5", "smallest ρ"),
          Map.entry("0.2", "limit of a claim on kddcup99"),
          Map.entry("0.8", "limit of a claim on ijcnn1"));

  @TempDir Path folder;

  private static Results results() throws IOException {
    return new Results(RESULTS);
  }

  private static Sentences sentences() throws IOException {
    return new Sentences(results(), Report.resource("paper.json"));
  }

  private static Map<String, String> remarks() throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> remark : Report.resource("remarks.json").properties()) {
      if (remark.getValue().isArray() && !remark.getKey().equals("awaited")) {
        StringBuilder text = new StringBuilder();
        remark.getValue().forEach(line -> text.append(line.asText()).append('\n'));
        texts.put(remark.getKey(), text.toString());
      }
    }
    return texts;
  }

  /** Numbers that are still to be run; their sentences are not on the page. */
  private static Set<String> awaited() throws IOException {
    Set<String> awaited = new TreeSet<>();
    Report.resource("remarks.json").get("awaited").forEach(name -> awaited.add(name.asText()));
    return awaited;
  }

  @Test
  void everySlotHasAResultOrIsAwaited() throws IOException {
    Sentences sentences = sentences();
    Set<String> empty = new TreeSet<>();
    for (Map.Entry<String, String> remark : remarks().entrySet()) {
      Matcher slots = Pattern.compile("\\{([^{}]+)\\}").matcher(remark.getValue());
      while (slots.find()) {
        if (sentences.fill(slots.group()).isEmpty()) {
          empty.add(slots.group(1));
        }
      }
    }
    assertEquals(awaited(), empty, "a sentence has no result, or no longer waits for one");
  }

  @Test
  void everyClaimHolds() throws IOException {
    Sentences sentences = sentences();
    List<String> broken = new ArrayList<>();
    int claims = 0;
    for (JsonNode list : Report.resource("remarks.json").get("claims")) {
      for (JsonNode claim : list) {
        claims++;
        boolean waits = !awaited().isEmpty() && !sentences.isKnown(claim.asText());
        if (!waits && !sentences.holds(claim.asText())) {
          broken.add(claim.asText());
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(claims > 100, "only " + claims + " claims");
  }

  @Test
  void otherNumbersAreThePapersOrTheProtocols() throws IOException {
    Set<String> known = known();
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<String, String> remark : remarks().entrySet()) {
      for (String number : literals(remark.getValue())) {
        if (!known.contains(number)) {
          unknown.add(remark.getKey() + ": " + number);
        }
      }
    }
    assertEquals(List.of(), unknown);
    assertEquals(
        List.of("17.29", "3"), literals("has 17.29 % in 3 runs, {online/a9a/rbp}, `--n 5`"));
    assertFalse(known.contains("17.29"));
  }

  private static List<String> literals(String text) {
    String plain = NO_LITERAL.matcher(text).replaceAll(" ");
    return NUMBER.matcher(plain).results().map(m -> m.group().replaceAll(",$", "")).toList();
  }

  /** The protocol's numbers, the counts of the paper's Table 2 and those of our data sets. */
  private static Set<String> known() throws IOException {
    Set<String> known = new HashSet<>(PROTOCOL.keySet());
    Report.resource("paper.json").get("data").forEach(row -> known.addAll(literals(row.asText())));
    for (ExperimentData data : ExperimentData.ALL) {
      known.addAll(literals(data.note()));
      known.addAll(literals(Double.toString(data.delta()).replaceAll("\\.0$", "")));
    }
    return known;
  }

  @Test
  void thePageIsWrittenFromTheResults() throws IOException {
    String page = Files.readString(PAGE).replace("\r\n", "\n");
    String now =
        Files.readString(Report.write(results(), ARENA, folder, false)).replace("\r\n", "\n");
    assertEquals(now, page, "run the experiments' command with --report");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/compare.md",
        "docs/benchmarks.md",
        "docs/scale.md",
        "docs/serving.md",
        "docs/reproduction.md"
      })
  void figuresOfAPageAreThoseOfTheResults(String page) throws IOException {
    JsonNode held = Report.resource("figures.json").get(page);
    assertEquals(List.of(), new PageFigures(new ResultTables(), sentences(), held).wrong(page));
  }

  @Test
  void wrongFiguresAreFound() throws IOException {
    JsonNode held =
        new ObjectMapper()
            .readTree(
                """
                {"says": ["{arena.md#Classification|electricity|FOGD|1} % of a star"],
                 "less": ["arena.md#Classification: linear SGD < FOGD"],
                 "other": {"0.1": "a reason", "9.9": "arena.md: 9.9 of nothing"}}
                """);
    List<String> wrong =
        new PageFigures(new ResultTables(), sentences(), held).wrong("docs/benchmarks.md");
    assertTrue(wrong.contains("does not say: 8.1 % of a star"), wrong::toString);
    assertTrue(wrong.contains("no longer has 0.1"), wrong::toString);
    assertTrue(wrong.contains("no source of 0.951"), wrong::toString);
    assertTrue(wrong.contains("electricity: 15.14 and 8.10"), wrong::toString);
  }

  @Test
  void namesAreReadAndMistakesFound() throws IOException {
    Sentences sentences = sentences();
    assertEquals("17.46", sentences.fill("{online/a9a/avm-hinge:paper}").orElseThrow());
    assertEquals("0.3165", sentences.fill("{online/casp/avm-eps:paper}").orElseThrow());
    assertTrue(sentences.holds("online/cod-rna/avm-hinge:paper < online/cod-rna/avm-logit:paper"));
    assertFalse(sentences.holds("online/a9a/absent < 5"), "a claim without results does not hold");
    assertTrue(sentences.fill("{online/a9a/absent}").isEmpty());
    assertThrows(IllegalArgumentException.class, () -> sentences.fill("{online/b9b/avm-hinge}"));
    assertThrows(IllegalArgumentException.class, () -> sentences.fill("{offline/a9a/avm-hinge}"));
    assertThrows(IllegalArgumentException.class, () -> sentences.holds("online/a9a/rbp"));
  }
}
