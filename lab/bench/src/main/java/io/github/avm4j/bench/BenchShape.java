// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * S core points of d features; {@code nonzeros} &gt; 0 for sparse instances. Written {@code 400x8},
 * sparse {@code 130x123/14}.
 */
record BenchShape(int size, int dims, int nonzeros) {
  private static final Pattern FORM = Pattern.compile("(\\d+)x(\\d+)(?:/(\\d+))?");

  /** The shapes of lab/results/speed.md, and of the C program. */
  static final List<String> ALL =
      List.of(
          "400x8",
          "500x22",
          "60x54",
          "130x123/14",
          "130x300/12",
          "27x384",
          "67x90",
          "4000x22",
          "20000x54");

  static BenchShape parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("a shape is SIZExDIMS or SIZExDIMS/NONZEROS, was " + text);
    }
    int nonzeros = Integer.parseInt(Objects.requireNonNullElse(matcher.group(3), "0"));
    return new BenchShape(
        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), nonzeros);
  }

  boolean isSparse() {
    return nonzeros > 0;
  }

  /** Features of an instance that are stored. */
  int stored() {
    return isSparse() ? nonzeros : dims;
  }

  @Override
  public String toString() {
    return size + "x" + dims + (isSparse() ? "/" + nonzeros : "");
  }
}
