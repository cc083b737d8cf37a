// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
  private static final ReaderOptions OPTIONS = ReaderOptions.defaults().withFormat(Format.JSONL);

  private static List<String> rows(String text) throws IOException {
    return Shown.rows(OPTIONS, "x", text);
  }

  private static void fails(String second, String... parts) {
    BadRowException e =
        assertThrows(BadRowException.class, () -> rows("{\"a\":1,\"y\":2}\n" + second));
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
  }

  @Test
  void values() throws IOException {
    RowReader reader =
        Shown.open(
            OPTIONS,
            "x",
            """

            {"a": 1.5, "b": "té", "class": "up", "c": true}
            {"class":3,"c":false,"b":"NA","z":[1]}\r
            {"a":NaN,"b":null,"class":"7","c":-2e3}
            """);
    assertEquals(List.of("a", "b", "c"), reader.columns());
    assertEquals("class", reader.labelName());
    assertEquals(List.of("up|1.5,'té','true'", "3|?,?,'false'", "7|?,?,-2000"), Shown.rows(reader));
    assertEquals(
        List.of("x: keys that the first row lacks were ignored in 1 rows"), reader.notes());
  }

  @Test
  void weightsAndIgnoredColumns() throws IOException {
    ReaderOptions options = OPTIONS.withWeight("w").withIgnored(List.of("id")).withLabel("l");
    assertEquals(List.of("5*2|1"), Shown.rows(options, "x", "{\"id\":{},\"a\":1,\"w\":2,\"l\":5}"));
  }

  @Test
  void whatIsNoRow() {
    fails("{\"a\":[1],\"y\":2}", "x:2, column 1 (a)", "object or a list");
    fails("{\"a\":{\"b\":{}},\"y\":2}", "object or a list");
    fails("{\"a\":1}", "label is missing");
    fails("[1,2]", "one JSON object");
    fails("1", "one JSON object");
    fails("{\"a\":1,\"y\":2} {}", "here is more");
    fails("{\"a\":1,\"y\":", "not JSON");
    fails("{a:1}", "not JSON");
    fails("{\"a\":" + "9".repeat(2000) + ",\"y\":2}", "not JSON");
    fails("{\"a\":" + "[".repeat(2000) + ",\"y\":2}", "not JSON");
    for (String first : List.of("", "[]", "{}", "3", "{\"a\"", "{\"a\":1}}x")) {
      assertThrows(AvmException.class, () -> rows(first), first);
    }
  }

  @Test
  void readingGoesOnAfterAFailure() throws IOException {
    RowReader reader =
        Shown.open(
            OPTIONS.withOnBadRow(OnBadRow.SKIP),
            "x",
            "{\"a\":1,\"y\":2}\n{oops\n{\"a\":3,\"y\":4}");
    assertEquals(List.of("2|1", "4|3"), Shown.rows(reader));
    assertEquals(1, reader.skipped());
  }
}
