// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Entry point: builds learners and detectors, saves and loads them and their models.
 *
 * <pre>{@code
 * AutoLearner learner = Avm.classifier().build();
 * int mistakes = 0;
 * for (Instance instance : stream) {
 *   if (learner.predict(instance.x()) != instance.label()) {
 *     mistakes++;
 *   }
 *   learner.learn(instance.x(), instance.label());
 * }
 * Avm.save(learner, path);
 * Model model = Avm.loadModel(path); // immutable, for any number of threads
 * }</pre>
 *
 * <p>Rows with named columns: {@link io.github.avm4j.pipeline.RowLearner}.
 */
public final class Avm {
  private Avm() {}

  /** {@return a builder for a classifier of two or more classes; every setting is optional} */
  public static AutoConfig.Builder<AutoLearner> classifier() {
    return new AutoConfig.Builder<>(Task.CLASSIFICATION, AutoLearner::new);
  }

  /** {@return a builder for a regressor; every setting is optional} */
  public static AutoConfig.Builder<AutoLearner> regressor() {
    return new AutoConfig.Builder<>(Task.REGRESSION, AutoLearner::new);
  }

  /** {@return a builder for a detector of anomalies; every setting is optional} */
  public static DetectorBuilder detector() {
    return new DetectorBuilder();
  }

  /**
   * {@return a builder for the paper's classifier of two or more classes; γ, δ and λ must be set}
   */
  public static AvmConfig.Builder<KernelLearner> paperClassifier() {
    return new AvmConfig.Builder<>(Task.CLASSIFICATION, KernelLearner::new);
  }

  /** {@return a builder for the paper's regressor; γ, δ and λ must be set} */
  public static AvmConfig.Builder<KernelLearner> paperRegressor() {
    return new AvmConfig.Builder<>(Task.REGRESSION, KernelLearner::new);
  }

  /**
   * The default learner with these settings; it estimates what is not set.
   *
   * @param config checked settings
   * @return a learner that has seen nothing
   */
  public static AutoLearner learner(AutoConfig config) {
    return new AutoLearner(config);
  }

  /**
   * A learner with exactly this configuration.
   *
   * @param config checked settings
   * @return a learner that has seen nothing
   */
  public static Learner learner(LearnerConfig config) {
    return config instanceof AvmConfig paper
        ? new KernelLearner(paper)
        : new SecondOrderLearner((SecondOrderConfig) config);
  }

  /**
   * Saves a model; the file appears whole or not at all.
   *
   * @param model the model
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public static void save(Model model, Path path) throws IOException {
    save(toBytes(model), path);
  }

  /**
   * Saves a learner with all it needs to go on; the file appears whole or not at all.
   *
   * @param learner the learner
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public static void save(Learner learner, Path path) throws IOException {
    save(learner.toBytes(), path);
  }

  /**
   * Saves the bytes of a model or learner; the file appears whole or not at all.
   *
   * @param file bytes of a saved file
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public static void save(byte[] file, Path path) throws IOException {
    DurableFile.write(file, path);
  }

  /**
   * {@return a model as the bytes of a file, in the format of docs/format.md}
   *
   * @param model the model
   */
  public static byte[] toBytes(Model model) {
    return ModelFormat.write(model);
  }

  /**
   * {@return the model in the bytes of a saved model or learner}
   *
   * @param file bytes of a saved file
   * @throws InvalidModelException if they are neither
   */
  public static Model modelFromBytes(byte[] file) throws InvalidModelException {
    return ModelFormat.read(file);
  }

  /**
   * The model in a saved model's or learner's file.
   *
   * @param path the file
   * @return the model
   * @throws IOException if the file cannot be read
   * @throws InvalidModelException if it is not a model
   */
  public static Model loadModel(Path path) throws IOException {
    return ModelFormat.read(path);
  }

  /**
   * A saved learner, to go on as if it had never stopped.
   *
   * @param path the file
   * @return the learner; an {@link AutoLearner} if the file is one's
   * @throws IOException if the file cannot be read
   * @throws InvalidModelException if it is not a learner, or one of rows with named columns
   */
  public static Learner loadLearner(Path path) throws IOException {
    byte[] file = ModelFormat.bytes(path);
    Learner learner = Learner.fromBytes(file);
    if (Sections.has(file, Sections.SCHEMA) && !RowModel.read(file).schema().isNumbered()) {
      throw new InvalidModelException(
          path + " holds a learner of rows with named columns: call RowLearner.read(path)");
    }
    return learner;
  }

  /**
   * Saves a detector with all it needs to go on; the file appears whole or not at all.
   *
   * @param detector the detector
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public static void save(Detector detector, Path path) throws IOException {
    save(detector.toBytes(), path);
  }

  /**
   * A saved detector, to go on as if it had never stopped.
   *
   * @param path the file
   * @return the detector
   * @throws IOException if the file cannot be read
   * @throws InvalidModelException if it is not a detector
   */
  public static Detector loadDetector(Path path) throws IOException {
    return Detector.fromBytes(ModelFormat.bytes(path));
  }
}
