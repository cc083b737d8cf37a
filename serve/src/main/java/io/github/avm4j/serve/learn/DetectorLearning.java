// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.learn.DetectorFile.Taught;
import io.github.avm4j.serve.models.Detectors;
import io.github.avm4j.serve.models.ServedDetector;
import io.github.avm4j.serve.models.ServedDetector.Detection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Detectors that learn rows, and what people say of them. */
public final class DetectorLearning extends LearnThread {
  private final List<DetectorFile> files;

  /**
   * Learns what the journals of a folder have, and publishes its detectors. Nothing runs before
   * {@link #start}.
   *
   * @throws IOException if the folder cannot be used
   */
  public DetectorLearning(LearnFolder folder, Detectors published) throws IOException {
    this(folder, DetectorFile.all(folder, published));
  }

  private DetectorLearning(LearnFolder folder, List<DetectorFile> files) throws IOException {
    super(folder, files);
    this.files = files;
  }

  /**
   * How rows are judged before they are learned.
   *
   * @param level p-values up to this are alarms
   * @param listed most features and core points of an alarm that are listed; 0 for none
   * @param explained most alarms that are explained
   */
  public record Question(double level, int listed, int explained) {}

  /**
   * Judges rows and learns them, one after the other.
   *
   * @throws Problem if the detector does not learn here
   */
  public CompletableFuture<List<Detection>> detect(
      ServedDetector detector, List<FeatureVector> rows, Question question) {
    return add(detector, rows, Taught.ROW, question);
  }

  /**
   * Takes in what a person said of rows.
   *
   * @param anomalous true for anomalies, false for normal rows
   * @throws Problem if the detector does not learn here
   */
  public CompletableFuture<List<Detection>> feedback(
      ServedDetector detector, List<FeatureVector> rows, boolean anomalous) {
    Taught taught = anomalous ? Taught.ANOMALOUS : Taught.NORMAL;
    return add(detector, rows, taught, new Question(0, 0, 0));
  }

  private CompletableFuture<List<Detection>> add(
      ServedDetector detector, List<FeatureVector> rows, Taught taught, Question question) {
    for (DetectorFile file : files) {
      if (file.name().equals(detector.name())) {
        CompletableFuture<List<Detection>> done = new CompletableFuture<>();
        add(new Lesson(file, detector, rows, taught, question, new ArrayList<>(), done));
        return done;
      }
    }
    throw doesNotLearn(detector);
  }

  /** Of a detector that is served and does not learn. */
  public static Problem doesNotLearn(ServedDetector detector) {
    return Problem.unavailable(
        "the detector '%s' does not learn here: put its file into a folder, and start the server with --learn FOLDER"
            .formatted(detector.name()));
  }

  private record Lesson(
      DetectorFile pupil,
      ServedDetector served,
      List<FeatureVector> rows,
      Taught taught,
      Question question,
      List<Detection> detections,
      CompletableFuture<List<Detection>> done)
      implements Request {
    @Override
    public int size() {
      return Math.max(1, rows.size());
    }

    @Override
    public byte[] lines() {
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      rows.forEach(x -> lines.writeBytes(DetectorFile.line(x, taught)));
      return lines.toByteArray();
    }

    @Override
    public void learn(boolean last) {
      int explained = 0;
      for (FeatureVector x : rows) {
        if (taught == Taught.ROW) {
          int listed = explained < question.explained ? question.listed : 0;
          Detection one = ServedDetector.judge(pupil.detector(), x, question.level, listed);
          explained += one.why() == null ? 0 : 1;
          detections.add(one);
          served.tally().judged(one.alarm(), true);
        } else {
          served.tally().labelled();
        }
        pupil.learn(x, taught);
      }
    }

    @Override
    public void reply() {
      done.complete(detections);
    }

    @Override
    public void fail(RuntimeException reason) {
      done.completeExceptionally(reason);
    }
  }
}
