// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnusableCellsTest {
  @TempDir Path folder;
  private Path data;

  /** Rows 1 to 1,200 as they should be, then 3 that are not. */
  @BeforeEach
  void write() throws IOException {
    StringBuilder text = new StringBuilder("rooms,district,since,label\n");
    for (int i = 0; i < 1200; i++) {
      text.append(i % 7).append(i % 2 == 0 ? ",A" : ",B").append(",2024-01-0").append(1 + i % 9);
      text.append(i % 7 < 3 ? ",low\n" : ",high\n");
    }
    text.append("abc,Z,yesterday,low\n1e400,Y,2024-01-01,high\n,,,low\n");
    data = Files.writeString(folder.resolve("houses.csv"), text);
  }

  private void check(String said) {
    check(said, false);
  }

  /** New districts are said where they are only predicted for; else they are learned. */
  private void check(String said, boolean districts) {
    String numbers = "rooms: 2 cells are not numbers and were treated as missing (first 'abc', ";
    assertTrue(said.contains(numbers + data + ":1202)"), said);
    String categories =
        "district: 2 cells hold categories not seen before and were treated as missing (first 'Z', ";
    assertEquals(districts, said.contains(categories + data + ":1202)"), said);
    String dates = "since: 1 cell is not a date and was treated as missing ('yesterday', ";
    assertTrue(said.contains(dates + data + ":1202)"), said);
  }

  @Test
  void trainSaysSo() {
    Avm.Result result = Avm.run("train", data, "-m", folder.resolve("m.avm"));
    assertEquals(0, result.code(), result.err());
    check(result.err());
    String again =
        Avm.run("train", data, "--resume", folder.resolve("m.avm"), "--limit", "1200").err();
    assertFalse(again.contains("treated as missing"), again);
  }

  @Test
  void evaluateSaysSoInTextAndJson() throws IOException {
    check(Avm.run("evaluate", data).err());
    check(Avm.run("evaluate", data, "--shuffle").err());
    String test = Avm.run("evaluate", data, "--limit", 1200, "--test", data, "--repeat", 2).err();
    check(test, true);
    assertEquals(test.indexOf("rooms: 2 cells"), test.lastIndexOf("rooms: 2 cells"));
    JsonNode cells =
        new ObjectMapper()
            .readTree(Avm.run("evaluate", data, "--json").out())
            .path("unusable_cells");
    assertEquals(2, cells.size());
    assertEquals("rooms", cells.path(0).path("column").asText());
    assertEquals(2, cells.path(0).path("cells").asInt());
    assertEquals("abc", cells.path(0).path("first").asText());
    assertEquals(1202, cells.path(0).path("line").asInt());
  }

  @Test
  void predictCompareAndExplainSaySo() {
    Path model = folder.resolve("m.avm");
    Avm.run("train", data, "-m", model, "-q");
    check(Avm.run("predict", model, data).err());
    check(Avm.run("explain", model, data, "--rows", 2000).err());
    check(Avm.run("compare", data, "--methods", "linear").err());
    Avm.run("train", data, "-m", model, "-q", "--limit", 1200);
    check(Avm.run("predict", model, data).err(), true);
  }

  @Test
  void aColumnOfTextsIsAnotherMatter() throws IOException {
    StringBuilder text = new StringBuilder("grade,id,y\n");
    for (int i = 0; i < 300; i++) {
      text.append(i < 4 ? "" + i : i % 2 == 0 ? "A" : "B").append(",x").append(i).append(',');
      text.append(i % 2).append('\n');
    }
    Path mixed = Files.writeString(folder.resolve("mixed.csv"), text);
    String said = Avm.run("evaluate", mixed).err();
    assertFalse(said.contains("treated as missing"), said);
  }
}
