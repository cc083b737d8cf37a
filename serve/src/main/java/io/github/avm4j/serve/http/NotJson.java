// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Error messages for JSON that cannot be parsed. The parser's own messages mention its features,
 * which a client cannot set; messages that are not known here are reduced to their position.
 */
final class NotJson {
  private static final Pattern WORD = Pattern.compile("token '(.{1,40}?)'");
  private static final Pattern TWICE =
      Pattern.compile("^Duplicate (?:field|Object property) ['\"](.{1,40}?)['\"]");
  private static final Pattern SIGN = Pattern.compile("^Unexpected character \\('(.)' ");
  private static final Pattern ENDLESS = Pattern.compile("-?\\+?(NaN|INF|Infinity)");

  private NotJson() {}

  static String words(JsonProcessingException e) {
    String said = String.valueOf(e.getOriginalMessage());
    if (e instanceof JsonEOFException) {
      return "not JSON: it ends too early";
    }
    if (e instanceof StreamConstraintsException) {
      return "JSON beyond a limit (depth %d, %d digits of a number, %d characters of a name, %d of a text)"
          .formatted(Json.DEPTH, Json.NUMBER, Json.NAME, Json.TEXT);
    }
    Matcher twice = TWICE.matcher(said);
    if (twice.find()) {
      return "the name '" + twice.group(1) + "' comes twice in one object";
    }
    Matcher word = WORD.matcher(said);
    if (word.find()) {
      return ENDLESS.matcher(word.group(1)).matches()
          ? "not JSON: " + word.group(1) + " is no number there; send null for a missing one"
          : "not JSON: '" + word.group(1) + "' is no value; texts stand in double quotes";
    }
    Matcher sign = SIGN.matcher(said);
    if (sign.find()) {
      return "not JSON: " + sign.group(1) + " is not expected";
    }
    if (said.startsWith("Illegal unquoted character")) {
      return "not JSON: a control character in a text must be escaped, as \\n or \\t";
    }
    if (said.startsWith("Invalid UTF-8")) {
      return "not JSON in UTF-8";
    }
    return said.startsWith("Invalid numeric value") ? "not JSON: no number" : "not JSON";
  }
}
