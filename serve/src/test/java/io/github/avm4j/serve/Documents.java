// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random JSON, and the readable way to read it: as a tree, with the JDK's parser of numbers. */
public final class Documents {
  private static final ObjectMapper TREES =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final String MARKS = "0123456789.-+eE,:[]{}\" \n\tx";

  private Documents() {}

  /** The document as a tree; null if it is no JSON. */
  public static @Nullable JsonNode tree(byte[] document) {
    try {
      JsonNode tree = TREES.readTree(document);
      return tree == null || tree.isMissingNode() ? null : tree;
    } catch (IOException e) {
      return null;
    }
  }

  /** A number in one of the many forms that clients write. */
  public static String number(Random random) {
    double value = random.nextGaussian();
    return switch (random.nextInt(12)) {
      case 0 -> Integer.toString(random.nextInt(2000) - 1000);
      case 1 -> Long.toString(random.nextLong());
      case 2 -> Double.toString(value);
      case 3 -> Double.toString(value * Math.pow(10, random.nextInt(60) - 30));
      case 4 -> Float.toString((float) value);
      case 5 -> String.format("%." + (1 + random.nextInt(25)) + "f", value);
      case 6 -> String.format("%." + random.nextInt(5) + "e", value);
      case 7 -> random.nextBoolean() ? "-0" : "-0.0";
      case 8 -> random.nextInt(10) + "." + "0".repeat(random.nextInt(20)) + random.nextInt(99);
      case 9 -> random.nextLong() + "." + Long.toString(random.nextLong() >>> 1);
      default -> Double.toString(Math.rint(value * 1e4) / 1e4);
    };
  }

  /** A comma or colon with what may stand around it. */
  public static String mark(Random random, String mark) {
    return random.nextInt(8) > 0 ? mark : " ".repeat(random.nextInt(3)) + mark + space(random);
  }

  private static String space(Random random) {
    return random.nextInt(4) == 0 ? "\n" : " ".repeat(random.nextInt(3));
  }

  /** The text, or one that a few characters were changed in, added to or taken from. */
  public static byte[] perhapsDamaged(Random random, String text) {
    StringBuilder out = new StringBuilder(text);
    for (int n = random.nextBoolean() ? 0 : 1 + random.nextInt(2); n > 0; n--) {
      int at = random.nextInt(out.length());
      char mark = MARKS.charAt(random.nextInt(MARKS.length()));
      switch (random.nextInt(3)) {
        case 0 -> out.setCharAt(at, mark);
        case 1 -> out.insert(at, mark);
        default -> out.deleteCharAt(at);
      }
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
