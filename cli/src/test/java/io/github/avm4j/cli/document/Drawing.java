// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.demo.DemoRun;
import io.github.avm4j.cli.demo.MovingDisc;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * A picture of the concept pages, drawn from a learner that has learned.
 *
 * @param name of the file
 * @param svg its content
 */
record Drawing(String name, String svg) {
  /** Blue over white to orange: the probability of the second class. */
  private static final List<String> FIELD =
      List.of("#8fbfe6", "#b5d5ef", "#d9e9f6", "#ffffff", "#fbe6cf", "#f6cd9f", "#f0b36f");

  private static final List<String> CELLS =
      List.of(
          "#cfe3f5", "#fbe3c8", "#d8eed3", "#efdcf2", "#fdf1bd", "#d5ecec", "#f7d7d7", "#e4e4ea");

  private static final String BLUE = "#14507a";
  private static final String ORANGE = "#a84d00";
  private static final String INK = "#222222";
  private static final int SIDE = 420;
  private static final int GRID = 140;

  /** All drawings. */
  static List<Drawing> all() {
    return List.of(spirals(), cells(), drift());
  }

  /** Two spirals, what is predicted in the plane, and the core points that it is made of. */
  private static Drawing spirals() {
    SplittableRandom random = new SplittableRandom(7);
    AutoLearner learner = Avm.classifier().labels(0, 1).cells(0).build();
    SvgCanvas svg =
        new SvgCanvas(SIDE, SIDE + 50, "Two spirals, the learned regions and the core points");
    StringBuilder points = new StringBuilder();
    int rows = 6_000;
    for (int t = 1; t <= rows; t++) {
      int y = random.nextInt(2);
      double turn = 0.5 + 2.6 * Math.PI * Math.sqrt(random.nextDouble());
      double radius = turn / (3 * Math.PI);
      double x1 = radius * Math.cos(turn + y * Math.PI) + 0.03 * random.nextGaussian();
      double x2 = radius * Math.sin(turn + y * Math.PI) + 0.03 * random.nextGaussian();
      FeatureVector x = FeatureVector.dense(new double[] {x1, x2});
      learner.learn(x, y);
      if (t > rows - 350) {
        points.append(SvgCanvas.circle(pixel(x1), pixel(-x2), 1.6, y == 0 ? BLUE : ORANGE, ""));
      }
    }
    Model model = learner.snapshot();
    double[] probabilities = new double[2];
    field(
        svg,
        FIELD,
        x -> {
          model.probabilities(x, probabilities);
          return (int) Math.min(FIELD.size() - 1, probabilities[1] * FIELD.size());
        });
    svg.add(points.toString());
    for (int i = 0; i < model.expansionSize(); i++) {
      FeatureVector point = model.scaling().invert(model.corePoint(i));
      svg.add(SvgCanvas.circle(pixel(point.get(0)), pixel(-point.get(1)), 4.2, "none", INK));
    }
    svg.text(
        SIDE / 2.0,
        SIDE + 22,
        "middle",
        INK,
        String.format(
            Locale.ROOT,
            "%,d instances learned, %d core points stored (rings)",
            rows,
            model.expansionSize()));
    return new Drawing("core-points.svg", svg.toString());
  }

  /** Rows of three densities, and the cells that a plan divides the plane into. */
  private static Drawing cells() {
    SplittableRandom random = new SplittableRandom(5);
    AutoLearner learner = Avm.classifier().build();
    SvgCanvas svg =
        new SvgCanvas(SIDE, SIDE + 50, "Rows in the plane, and sixteen cells around centres");
    List<FeatureVector> rows = new ArrayList<>();
    StringBuilder points = new StringBuilder();
    for (int t = 0; t < 2_000; t++) {
      double kind = random.nextDouble();
      double centre1 = kind < 0.5 ? -0.55 : kind < 0.8 ? 0.45 : 0;
      double centre2 = kind < 0.5 ? -0.4 : kind < 0.8 ? 0.5 : 0;
      double spread = kind < 0.5 ? 0.16 : kind < 0.8 ? 0.22 : 0.5;
      double x1 = centre1 + spread * random.nextGaussian();
      double x2 = centre2 + spread * random.nextGaussian();
      FeatureVector x = FeatureVector.dense(new double[] {x1, x2});
      learner.learn(x, x1 * x2 > 0 ? 1 : 0);
      rows.add(x);
      if (t % 2 == 0 && Math.abs(x1) < 1 && Math.abs(x2) < 1) {
        points.append(SvgCanvas.circle(pixel(x1), pixel(-x2), 1.4, INK, ""));
      }
    }
    CellPlan plan = CellPlan.of(learner, rows, 16);
    field(svg, CELLS, x -> plan.cellOf(x) % CELLS.size());
    svg.add(points.toString());
    svg.text(
        SIDE / 2.0,
        SIDE + 22,
        "middle",
        INK,
        String.format(
            Locale.ROOT,
            "%,d rows, %d cells: small where rows are many",
            rows.size(),
            plan.size()));
    return new Drawing("cells.svg", svg.toString());
  }

  /** The stream of avm demo: error of windows, with and without forgetting. */
  private static Drawing drift() {
    int width = 720;
    int height = 300;
    SvgCanvas svg = new SvgCanvas(width, height, "Error along a stream that changes once");
    StringBuilder adaptive = new StringBuilder();
    StringBuilder fixed = new StringBuilder();
    DemoRun.Result result =
        new DemoRun(
                new MovingDisc(1),
                new DemoRun.Listener() {
                  @Override
                  public void window(int rows, double error, double withoutForgetting) {
                    point(adaptive, rows, error);
                    point(fixed, rows, withoutForgetting);
                  }

                  @Override
                  public void change(int rows) {}

                  @Override
                  public void decision(int rows, String text) {
                    if (text.contains("takes over")) {
                      svg.line(across(rows), 40, across(rows), 250, BLUE, "2 3");
                      svg.text(across(rows) + 6, 244, "start", BLUE, "a fresh learner takes over");
                    }
                  }
                })
            .run();
    for (int percent = 0; percent <= 40; percent += 10) {
      svg.line(50, up(percent / 100.0), width - 15, up(percent / 100.0), "#dddddd", "");
      svg.text(44, up(percent / 100.0) + 4, "end", INK, percent + " %");
    }
    for (int rows = 0; rows <= MovingDisc.ROWS; rows += 5_000) {
      svg.text(across(rows), 268, "middle", INK, String.format(Locale.ROOT, "%,d", rows));
    }
    svg.line(across(MovingDisc.CHANGE), 40, across(MovingDisc.CHANGE), 250, INK, "6 4");
    svg.text(across(MovingDisc.CHANGE) - 6, 58, "end", INK, "the disc moves");
    svg.curve(fixed.toString(), ORANGE);
    svg.curve(adaptive.toString(), BLUE);
    svg.text(
        width - 15,
        58,
        "end",
        ORANGE,
        String.format(
            Locale.ROOT,
            "without forgetting: %.1f %% of all rows",
            100 * result.withoutForgetting()));
    svg.text(
        width - 15,
        78,
        "end",
        BLUE,
        String.format(Locale.ROOT, "default settings: %.1f %% of all rows", 100 * result.error()));
    svg.text(width / 2.0, 290, "middle", INK, "rows; mistakes in windows of 1,000");
    return new Drawing("drift.svg", svg.toString());
  }

  private static void point(StringBuilder curve, int rows, double error) {
    curve.append(SvgCanvas.number(across(rows))).append(',');
    curve.append(SvgCanvas.number(up(error))).append(' ');
  }

  private static double across(int rows) {
    return 50 + 640.0 * rows / MovingDisc.ROWS;
  }

  private static double up(double share) {
    return 250 - 480 * share;
  }

  /** Colours the square [−1, 1]² by a value per square of a grid; equal neighbours are one. */
  private static void field(
      SvgCanvas svg, List<String> colours, ToIntFunction<FeatureVector> value) {
    List<StringBuilder> paths = new ArrayList<>();
    colours.forEach(colour -> paths.add(new StringBuilder()));
    int step = SIDE / GRID;
    for (int row = 0; row < GRID; row++) {
      int from = 0;
      int before = -1;
      for (int column = 0; column <= GRID; column++) {
        int now = column < GRID ? value.applyAsInt(middle(column, row)) : -1;
        if (now != before && column > 0) {
          int width = (column - from) * step;
          paths
              .get(before)
              .append("M%d %dh%dv%dh%dz".formatted(from * step, row * step, width, step, -width));
          from = column;
        }
        before = now;
      }
    }
    for (int c = 0; c < colours.size(); c++) {
      svg.area(paths.get(c).toString(), colours.get(c));
    }
  }

  private static FeatureVector middle(int column, int row) {
    double x1 = 2 * (column + 0.5) / GRID - 1;
    return FeatureVector.dense(new double[] {x1, 1 - 2 * (row + 0.5) / GRID});
  }

  private static double pixel(double value) {
    return (value + 1) / 2 * SIDE;
  }
}
