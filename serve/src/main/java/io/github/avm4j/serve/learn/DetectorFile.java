// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.DetectorCheck;
import io.github.avm4j.serve.models.Detectors;
import io.github.avm4j.serve.models.RefusedModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A detector, saved as {@code avm detect --save} saves. A line of its journal has the features of a
 * row by number from 1, and what the row is called: {@code {"1": 0.5, "2": 7, "label": "normal"}}.
 */
final class DetectorFile extends Pupil {
  private static final String SPARSE = "sparse";

  private final RowDetector rows;
  private final Detectors published;

  private DetectorFile(
      LearnFolder folder, Path file, byte[] bytes, RowDetector rows, Detectors published)
      throws IOException {
    super(folder, file, bytes);
    this.rows = rows;
    this.published = published;
    replay();
  }

  /**
   * Reads the detectors of a folder, and learns the rows of their journals again.
   *
   * @throws IOException if one of them is not a detector's file
   */
  static List<DetectorFile> all(LearnFolder folder, Detectors published) throws IOException {
    List<DetectorFile> all = new ArrayList<>();
    for (Map.Entry<Path, byte[]> one : folder.files().entrySet()) {
      try {
        RowDetector rows = DetectorCheck.checkLearning(one.getValue());
        all.add(new DetectorFile(folder, one.getKey(), one.getValue(), rows, published));
      } catch (RefusedModelException e) {
        throw new IOException(
            one.getKey() + ": " + e.reason() + "; repair or remove it (the others are detectors)",
            e);
      }
    }
    return all;
  }

  /** What becomes of a row. */
  enum Taught {
    /** It is learned as it comes. */
    ROW,
    /** A person called it normal. */
    NORMAL,
    /** A person called it an anomaly. */
    ANOMALOUS
  }

  Detector detector() {
    return rows.detector();
  }

  @Override
  int again(List<byte[]> lines) {
    int lost = 0;
    for (byte[] line : lines) {
      try {
        Map<String, String> cells = JsonRows.line(line);
        Taught taught = Taught.valueOf(String.valueOf(cells.remove(Truth.LABEL)));
        learn(vector(cells), taught);
      } catch (Problem | IllegalArgumentException e) {
        lost++;
      }
    }
    return lost;
  }

  void learn(FeatureVector x, Taught taught) {
    if (taught == Taught.ROW) {
      detector().detectThenLearn(x);
    } else {
      detector().feedback(x, taught == Taught.ANOMALOUS);
    }
    changed();
  }

  @Override
  long rows() {
    return detector().instances();
  }

  @Override
  void show() {
    String source = file().toString();
    published.publish(
        new Arrival(name(), "", rows(), source, folder.clock().instant()), rows.toBytes());
  }

  @Override
  byte @Nullable [] toBytes() {
    return isUnsaved() ? rows.toBytes() : null;
  }

  /** A row as a line of the journal, to the last bit. */
  static byte[] line(FeatureVector x, Taught taught) {
    Map<String, Object> cells = new LinkedHashMap<>();
    for (int k = 0; k < x.count(); k++) {
      cells.put(Integer.toString(x.isSparse() ? x.indices()[k] + 1 : k + 1), x.values()[k]);
    }
    if (x.isSparse()) {
      cells.put(SPARSE, true);
    }
    return JsonRows.line(cells, Truth.LABEL, taught.name(), "");
  }

  private static FeatureVector vector(Map<String, String> cells) {
    boolean sparse = cells.remove(SPARSE) != null;
    double[] values = cells.values().stream().mapToDouble(Double::parseDouble).toArray();
    return sparse
        ? FeatureVector.sparse(
            cells.keySet().stream().mapToInt(number -> Integer.parseInt(number) - 1).toArray(),
            values)
        : FeatureVector.dense(values);
  }
}
