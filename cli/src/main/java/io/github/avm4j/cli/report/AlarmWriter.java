// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.input.KeptColumns;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Writes the p-value, score and alarm of each row as CSV, and the features that alarms are due to.
 */
public final class AlarmWriter {
  private static final int MOST_FEATURES = 3;

  private final Detector detector;
  private final Schema schema;
  private final KeptColumns kept;
  private final boolean onlyAlarms;
  private final Appendable out;
  private final StringBuilder line = new StringBuilder();
  private long row;

  /**
   * Writes to {@code out}.
   *
   * @param onlyAlarms whether rows without an alarm are left out
   */
  public AlarmWriter(
      Detector detector, Schema schema, KeptColumns kept, boolean onlyAlarms, Appendable out) {
    this.detector = detector;
    this.schema = schema;
    this.kept = kept;
    this.onlyAlarms = onlyAlarms;
    this.out = out;
  }

  /** Writes the names of the columns. */
  public void header() throws IOException {
    line.setLength(0);
    line.append("row,");
    kept.names().forEach(name -> line.append(PredictionWriter.field(name)).append(','));
    out.append(line.append("p_value,score,alarm,features\n"));
  }

  /** Writes {@code x}, the features of {@code cells}, then learns it; whether it is an alarm. */
  public boolean write(FeatureVector x, Row cells) throws IOException {
    row++;
    // Explained by what the p-value is computed from, that is before x is learned.
    boolean alarm = detector.isAlarm(detector.pValue(x));
    List<AnomalyExplanation.Feature> features =
        alarm ? detector.explain(x, MOST_FEATURES).features() : List.of();
    double p = detector.detectThenLearn(x);
    if (alarm || !onlyAlarms) {
      line.setLength(0);
      line.append(row).append(',');
      for (int k = 0; k < kept.names().size(); k++) {
        String cell = kept.cell(cells, k);
        line.append(cell == null ? "" : PredictionWriter.field(cell)).append(',');
      }
      line.append(number(p)).append(',').append(number(detector.lastScore()));
      line.append(alarm ? ",1," : ",0,").append(PredictionWriter.field(text(features)));
      out.append(line.append('\n'));
    }
    return alarm;
  }

  private String text(List<AnomalyExplanation.Feature> features) {
    StringBuilder text = new StringBuilder();
    for (AnomalyExplanation.Feature feature : features) {
      int j = feature.index();
      text.append(text.isEmpty() ? "" : "; ").append(schema.featureName(j)).append('=');
      text.append(number(schema.original(j, feature.value())));
      text.append(" (expected ").append(number(schema.original(j, feature.expected())));
      text.append(String.format(Locale.ROOT, ", %.0f %%)", 100 * feature.share()));
    }
    return text.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.4g", value);
  }
}
