// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Learning curve of a model: the file that {@code avm evaluate --curve} writes, if it lies beside a
 * model as {@code NAME.curve.csv}. A model itself carries none.
 *
 * @param points in the order of instances, at most {@value #MOST_POINTS}
 */
public record Curve(List<Point> points) {
  private static final int MOST_POINTS = 200;
  private static final long MOST_BYTES = 10_000_000;
  private static final String INSTANCES = "learning evaluation instances";
  private static final String CORRECT = "classifications correct (percent)";
  private static final String RMSE = "root mean squared error";

  /**
   * A point.
   *
   * @param instances learned from so far
   * @param error percent of mistakes, or root mean squared error, of the window before
   */
  public record Point(long instances, double error) {}

  /** Copies the points. */
  public Curve {
    points = List.copyOf(points);
  }

  /**
   * The curve in a file.
   *
   * @throws IOException if it cannot be read or is no such file
   */
  static Curve read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + ": larger than " + MOST_BYTES + " bytes");
    }
    List<String> lines = Files.readAllLines(file);
    List<String> names = List.of((lines.isEmpty() ? "" : lines.get(0)).split(",", -1));
    int instances = names.indexOf(INSTANCES);
    boolean classes = names.contains(CORRECT);
    int value = names.indexOf(classes ? CORRECT : RMSE);
    if (instances < 0 || value < 0) {
      throw new IOException(file + ": is no curve of avm evaluate");
    }
    List<Point> points = new ArrayList<>();
    int step = Math.max(1, (lines.size() - 1 + MOST_POINTS - 1) / MOST_POINTS);
    for (int k = lines.size() - 1; k >= 1; k -= step) {
      String[] cells = lines.get(k).split(",", -1);
      try {
        double error = Double.parseDouble(cells[value]);
        points.add(0, new Point(Long.parseLong(cells[instances]), classes ? 100 - error : error));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        // A "?" stands for what is not defined yet.
      }
    }
    return new Curve(points);
  }
}
