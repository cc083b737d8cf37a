// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is said of JSON that cannot be read: nothing of the parser's own. */
class JsonTest {
  private static String said(byte[] bytes) {
    return assertThrows(
            Problem.class, () -> Json.read(bytes, 0, bytes.length, parser -> parser.skipChildren()))
        .text();
  }

  private static String said(String text) {
    return said(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertSaid(String words, String place, String text) {
    String said = said(text);
    assertTrue(said.matches(Pattern.quote(words) + " near " + place + "\\d+"), said);
  }

  @Test
  void inOurOwnWordsWithLineAndColumn() {
    assertSaid(
        "not JSON: NaN is no number there; send null for a missing one",
        "line 2, column ",
        "{\n \"a\": NaN}");
    assertSaid(
        "not JSON: 'cook' is no value; texts stand in double quotes",
        "line 1, column ",
        "{\"job\": cook}");
    assertSaid("not JSON: ' is not expected", "line 1, column ", "{'a': 1}");
    assertSaid("not JSON: it ends too early", "line 1, column ", "{\"a\": ");
    assertSaid(
        "not JSON: a control character in a text must be escaped, as \\n or \\t",
        "line 1, column ",
        "\"a\nb\"");
    assertSaid("not JSON: no number", "line 1, column ", "01");
    assertEquals("the body is empty; it must be JSON", said(""));
    assertEquals("there is more after the JSON value at line 1, column 4", said("{} {}"));
  }

  @Test
  void limitsAreNamed() {
    assertEquals(
        "JSON beyond a limit (depth 16, 100 digits of a number, 1000 characters of a name,"
            + " 100000 of a text)",
        said("[".repeat(30)));
  }

  @Test
  void nothingOfTheParserLeaksWhateverIsWrong() {
    for (String text :
        new String[] {
          "{\"a\": Infinity}",
          "{\"a\": -INF}",
          "[+1]",
          "[.5]",
          "[1.]",
          "[1e]",
          "/* */ 1",
          "[1,]",
          "{\"a\" 1}",
          "{a: 1}",
          "{\"a\": tru}",
          "\"\\q\"",
          "\"\\u12x4\"",
          "]",
          "#",
          "[1 2]",
          "-",
          "--1",
          "\u0001",
          "{\"a\": 1",
          "nul"
        }) {
      String words = said(text);
      assertEquals(words, words.replaceAll("(?i)feature|enable|token|exception|parser", "!"), text);
    }
    said(new byte[] {'"', (byte) 0xff, '"'});
    said(new byte[] {(byte) 0xfe, (byte) 0xff, 0, '1'});
  }
}
