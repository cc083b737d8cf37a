// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Demšar's critical-difference diagram as SVG: mean ranks on an axis, best on the left; a bar joins
 * learners whose ranks differ by less than the critical difference.
 */
final class RankPicture {
  private static final int WIDTH = 960;
  private static final int SIDE = 250;
  private static final int AXIS = 84;
  private static final int LINE = 21;
  private static final int BAR = 9;

  private final List<String> names;
  private final Friedman friedman;
  private final double difference;
  private final String bold;
  private final List<Integer> order;
  private final StringBuilder svg = new StringBuilder();

  private RankPicture(List<String> names, Friedman friedman, double difference, String bold) {
    this.names = names;
    this.friedman = friedman;
    this.difference = difference;
    this.bold = bold;
    this.order =
        IntStream.range(0, names.size())
            .boxed()
            .sorted(Comparator.comparingDouble(j -> friedman.rank(j)))
            .toList();
  }

  /** The picture; the learner of the name {@code bold} is drawn bold. */
  static String svg(List<String> names, Friedman friedman, double difference, String bold) {
    return new RankPicture(names, friedman, difference, bold).draw();
  }

  /** From … to of the sorted ranks, for each largest group within the critical difference. */
  static List<int[]> groups(double[] sorted, double difference) {
    List<int[]> groups = new ArrayList<>();
    int last = -1;
    for (int from = 0; from < sorted.length; from++) {
      int to = from;
      while (to + 1 < sorted.length && sorted[to + 1] - sorted[from] < difference) {
        to++;
      }
      if (to > from && to > last) {
        groups.add(new int[] {from, to});
        last = to;
      }
    }
    return groups;
  }

  private double x(double rank) {
    double share = (rank - 1) / (names.size() - 1);
    return SIDE + share * (WIDTH - 2 * SIDE);
  }

  private double rank(int place) {
    return friedman.rank(order.get(place));
  }

  private String draw() {
    List<int[]> groups =
        groups(IntStream.range(0, names.size()).mapToDouble(this::rank).toArray(), difference);
    int below = AXIS + 14 + BAR * groups.size();
    int half = (names.size() + 1) / 2;
    int height = below + LINE * half + 16;
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
            WIDTH,
            height,
            WIDTH,
            height));
    axis();
    for (int g = 0; g < groups.size(); g++) {
      double y = AXIS + 12 + BAR * g;
      line(x(rank(groups.get(g)[0])) - 4, y, x(rank(groups.get(g)[1])) + 4, y, 4, "#444");
    }
    for (int place = 0; place < names.size(); place++) {
      name(place, half, below + 12);
    }
    return svg.append("</svg>\n").toString();
  }

  private void axis() {
    line(x(1), AXIS, x(names.size()), AXIS, 1.5, "#222");
    for (int rank = 1; rank <= names.size(); rank++) {
      line(x(rank), AXIS - 6, x(rank), AXIS, 1.5, "#222");
      text(x(rank), AXIS - 12, "middle", Integer.toString(rank), false);
    }
    double end = x(1) + difference / (names.size() - 1) * (WIDTH - 2 * SIDE);
    line(x(1), 34, end, 34, 2, "#222");
    line(x(1), 29, x(1), 39, 2, "#222");
    line(end, 29, end, 39, 2, "#222");
    String label =
        String.format(
            Locale.ROOT,
            "critical difference %.2f (Nemenyi, 0.05), %d streams",
            difference,
            friedman.streams());
    text(x(1), 20, "start", label, false);
  }

  private void name(int place, int half, int top) {
    boolean left = place < half;
    int row = left ? place : names.size() - 1 - place;
    double y = top + LINE * row;
    double x = x(rank(place));
    double end = left ? SIDE - 14 : WIDTH - SIDE + 14;
    boolean ours = names.get(order.get(place)).equals(bold);
    String colour = ours ? "#c0392b" : "#888";
    line(x, AXIS, x, y, ours ? 2 : 1, colour);
    line(x, y, end, y, ours ? 2 : 1, colour);
    String label = String.format(Locale.ROOT, "%s  %.2f", names.get(order.get(place)), rank(place));
    text(left ? end - 5 : end + 5, y + 4.5, left ? "end" : "start", label, ours);
  }

  private void line(double x1, double y1, double x2, double y2, double width, String colour) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-width=\"%.1f\"/>%n",
            x1,
            y1,
            x2,
            y2,
            colour,
            width));
  }

  private void text(double x, double y, String anchor, String words, boolean strong) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n",
            x,
            y,
            anchor,
            strong ? " font-weight=\"bold\"" : "",
            words.replace("&", "&amp;").replace("<", "&lt;")));
  }
}
