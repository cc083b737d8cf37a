// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.github.avm4j.cli.input.KeptColumns;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Writes predictions as CSV with a header or as JSON lines, one line per row. */
public final class PredictionWriter {
  private final RowModel rows;
  private final Model model;
  private final boolean json;
  private final boolean probabilities;
  private final Appendable out;
  private final double[] scores;
  private final StringBuilder line = new StringBuilder();
  private final KeptColumns kept;
  private final @Nullable Double level;

  /**
   * Writes to {@code out}.
   *
   * @param level coverage of the intervals or prediction sets to write; null for none
   */
  public PredictionWriter(
      RowModel rows, boolean json, KeptColumns kept, @Nullable Double level, Appendable out) {
    this.level = level;
    this.kept = kept;
    this.rows = rows;
    this.model = rows.model();
    this.json = json;
    this.out = out;
    this.probabilities = model.hasProbabilities();
    this.scores = new double[Math.max(1, model.classes())];
  }

  /** Writes the header of CSV. */
  public void header() throws IOException {
    if (json) {
      return;
    }
    line.setLength(0);
    for (String name : kept.names()) {
      line.append(field(name)).append(',');
    }
    line.append("prediction");
    if (model.task() == Task.REGRESSION) {
      line.append(level == null ? "" : ",lower,upper");
    } else {
      line.append(",score");
      for (int j = 0; probabilities && j < model.classes(); j++) {
        line.append(',').append(field("p:" + rows.name(model.label(j))));
      }
      line.append(level == null ? "" : ",set");
    }
    out.append(line.append('\n'));
  }

  /** Predicts {@code x}, the features of {@code row}, and writes and returns the prediction. */
  public double write(FeatureVector x, Row row) throws IOException {
    model.scores(x, scores);
    line.setLength(0);
    line.append(json ? "{" : "");
    for (int k = 0; k < kept.names().size(); k++) {
      String cell = kept.cell(row, k);
      if (json) {
        line.append(quoted(kept.names().get(k))).append(':');
        line.append(cell == null ? "null" : quoted(cell));
      } else {
        line.append(cell == null ? "" : field(cell));
      }
      line.append(',');
    }
    double prediction = model.task() == Task.REGRESSION ? number() : label();
    out.append(line.append('\n'));
    return prediction;
  }

  private double number() {
    line.append(json ? "\"prediction\":" : "").append(scores[0]);
    if (level != null) {
      Interval interval = model.calibration().interval(scores[0], level);
      line.append(json ? ",\"interval\":[" : ",").append(end(interval.lower())).append(',');
      line.append(end(interval.upper())).append(json ? "]" : "");
    }
    line.append(json ? "}" : "");
    return scores[0];
  }

  private double label() {
    int classes = model.classes();
    int winner = Decision.argmax(scores, classes);
    double prediction = classes == 0 ? Double.NaN : model.label(winner);
    double score = classes == 0 ? 0 : classes == 2 ? scores[1] - scores[0] : scores[winner];
    String name = rows.name(prediction);
    if (json) {
      line.append("\"prediction\":").append(quoted(name)).append(",\"score\":").append(score);
    } else {
      line.append(field(name)).append(',').append(score);
    }
    Decision.softmax(scores, classes);
    if (probabilities) {
      appendProbabilities(classes);
    }
    if (level != null) {
      appendSet(model.calibration().set(scores, classes, winner, level));
    }
    line.append(json ? "}" : "");
    return prediction;
  }

  private void appendProbabilities(int classes) {
    line.append(json ? ",\"probabilities\":{" : "");
    for (int j = 0; j < classes; j++) {
      if (json) {
        line.append(j == 0 ? "" : ",").append(quoted(rows.name(model.label(j)))).append(':');
      } else {
        line.append(',');
      }
      line.append(scores[j]);
    }
    line.append(json ? "}" : "");
  }

  /** An end of an interval; JSON has no infinity. */
  private String end(double value) {
    return json && Double.isInfinite(value) ? "null" : Double.toString(value);
  }

  private void appendSet(boolean[] set) {
    StringJoiner names = json ? new StringJoiner(",", ",\"set\":[", "]") : new StringJoiner("|");
    for (int j = 0; j < set.length; j++) {
      if (set[j]) {
        String name = rows.name(model.label(j));
        names.add(json ? quoted(name) : name);
      }
    }
    line.append(json ? names.toString() : "," + field(names.toString()));
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  static String field(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
