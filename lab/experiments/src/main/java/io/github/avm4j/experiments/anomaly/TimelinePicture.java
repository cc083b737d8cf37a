// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/**
 * The timeline of docs/anomalies.md as SVG: a noisy wave with spikes that changes its level for
 * good, and the p-values of the detector. Argument: the file to write.
 */
public final class TimelinePicture {
  private static final int ROWS = 3000;
  private static final int SHOWN = 2000;
  private static final int CHANGE = 1900;
  private static final int WIDTH = 900;
  private static final int LEFT = 70;
  private static final double LEVEL = 0.01;
  private static final double LEAST = 1e-6;

  private final StringBuilder waves = new StringBuilder();
  private final StringBuilder marks = new StringBuilder();

  private TimelinePicture() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[0]), new TimelinePicture().draw());
  }

  private String draw() {
    Detector detector =
        Avm.detector().alarm(LEVEL).budget(200).forgetting(0.998).calibration(300).build();
    Random random = new Random(12);
    for (int t = 0; t < ROWS; t++) {
      boolean odd = t % 310 == 250;
      double value = Math.sin(t / 40.0) + 0.15 * random.nextGaussian();
      value += (odd ? 1.8 : 0) + (t >= CHANGE ? 4 : 0);
      double p = detector.detectThenLearn(FeatureVector.dense(value, Math.cos(t / 40.0)));
      if (t >= ROWS - SHOWN) {
        add(t, value, p, odd, detector.isAlarm(p));
      }
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 400" font-family="sans-serif" font-size="13">
        <rect width="960" height="400" fill="#fff"/>
        <text x="%d" y="22" fill="#222">a measured value; spikes are marked</text>
        <polyline points="%s" fill="none" stroke="#4477aa" stroke-width="1"/>
        <text x="%d" y="232" fill="#222">p-value of each row, on a logarithmic scale; red: alarm at 1 %%</text>
        %s%s
        <text x="%d" y="392" fill="#222">row %d</text><text x="%d" y="392" fill="#222" text-anchor="end">row %d</text>
        </svg>
        """
        .formatted(
            LEFT,
            waves.toString().strip(),
            LEFT,
            axis(),
            marks,
            LEFT,
            ROWS - SHOWN,
            LEFT + WIDTH - 20,
            ROWS);
  }

  private static double across(int t) {
    return LEFT + (WIDTH - 20.0) * (t - (ROWS - SHOWN)) / SHOWN;
  }

  private static double height(double p) {
    return 250 + 115 * Math.log10(Math.max(LEAST, p)) / Math.log10(LEAST);
  }

  private void add(int t, double value, double p, boolean odd, boolean alarm) {
    double x = across(t);
    double y = 170 - 18 * value;
    waves.append(text("%.1f,%.1f ", x, y));
    if (odd) {
      marks.append(text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"none\" ", x, y));
      marks.append("stroke=\"#cc3311\" stroke-width=\"1.5\"/>\n");
    }
    String colour = alarm ? "#cc3311" : "#99aabb";
    marks.append(text("<circle cx=\"%.1f\" cy=\"%.1f\" ", x, height(p)));
    marks.append(text("r=\"%s\" fill=\"%s\"/>%n", alarm ? "2.6" : "1.1", colour));
  }

  private static String axis() {
    StringBuilder axis = new StringBuilder();
    for (double p : new double[] {1, LEVEL, 1e-4, LEAST}) {
      double y = height(p);
      String dash = p == LEVEL ? " stroke-dasharray=\"5 3\"" : "";
      axis.append(text("<line x1=\"%d\" x2=\"%d\" ", LEFT, LEFT + WIDTH - 20));
      axis.append(text("y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ccc\"%s/>%n", y, y, dash));
      String label = p == 1 ? "1" : p == LEVEL ? "0.01" : p == LEAST ? "≤ 10⁻⁶" : "10⁻⁴";
      axis.append(text("<text x=\"%d\" y=\"%.1f\" ", LEFT - 6, y + 4));
      axis.append(text("text-anchor=\"end\" fill=\"#222\">%s</text>%n", label));
    }
    return axis.toString();
  }

  private static String text(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
