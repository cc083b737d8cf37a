// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.Merge;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The one entry: builds learners, saves and loads them.
 *
 * <pre>{@code
 * Learner learner = Avm.classifier().build();
 * for (Row row : stream) {
 *   double guess = learner.predict(row.x());
 *   learner.learn(row.x(), row.label());
 * }
 * Model model = learner.snapshot(); // immutable, for any number of threads
 * }</pre>
 */
public final class Avm {
  private Avm() {}

  /** A classifier for two or many classes that needs no parameter. */
  public static AutoLearnerBuilder classifier() {
    return new AutoLearnerBuilder(Task.CLASSIFICATION);
  }

  /** A regressor that needs no parameter. */
  public static AutoLearnerBuilder regressor() {
    return new AutoLearnerBuilder(Task.REGRESSION);
  }

  /** The paper's learner for two or many classes. */
  public static PaperLearnerBuilder paperClassifier() {
    return new PaperLearnerBuilder(Task.CLASSIFICATION);
  }

  /** The paper's learner for numbers. */
  public static PaperLearnerBuilder paperRegressor() {
    return new PaperLearnerBuilder(Task.REGRESSION);
  }

  /** A learner that finds all it needs on its first instances. */
  public static AutoLearner learner(AutoConfig config) {
    return new AutoLearner(config);
  }

  /** A learner with exactly this configuration. */
  public static Learner learner(LearnerConfig config) {
    return config instanceof AvmConfig paper
        ? new KernelLearner(paper)
        : new SecondOrderLearner((SecondOrderConfig) config);
  }

  /**
   * One learner of what several have learned, each on its own part of one stream. They stay as they
   * are; the result goes on learning. See docs/merge.md for what is exact.
   *
   * @throws IllegalArgumentException if their kinds or configurations differ, or their kind cannot
   *     be merged
   */
  public static Learner merge(List<? extends Learner> shards) {
    return Merge.of(shards);
  }

  /**
   * A copy of {@code start}, which has seen the beginning of a stream, to learn a part of the rest
   * and be merged with the other parts by {@link #merge(AutoLearner, List)}.
   *
   * @throws IllegalArgumentException if {@code start} has not seen its estimation period
   */
  public static AutoLearner shard(AutoLearner start) {
    return Merge.shard(start);
  }

  /**
   * One learner of what {@code start} knew and what its {@link #shard}s have learned since.
   *
   * @throws IllegalArgumentException if there is no shard, or {@code start} is not what they began
   *     as: it must not learn between {@link #shard} and here
   */
  public static AutoLearner merge(AutoLearner start, List<AutoLearner> shards) {
    return Merge.of(start, shards);
  }

  /** Saves a model; the file appears whole or not at all. */
  public static void save(Model model, Path path) throws IOException {
    save(toBytes(model), path);
  }

  /** Saves a learner with all it needs to go on; the file appears whole or not at all. */
  public static void save(Learner learner, Path path) throws IOException {
    save(learner.toBytes(), path);
  }

  /** Saves the bytes of a model or learner; the file appears whole or not at all. */
  public static void save(byte[] file, Path path) throws IOException {
    DurableFile.write(file, path);
  }

  /** A model as the bytes of a file, in the format of docs/format.md. */
  public static byte[] toBytes(Model model) {
    return ModelFormat.write(model);
  }

  /**
   * The model in the bytes of a saved model or learner.
   *
   * @throws InvalidModelException if they are neither
   */
  public static Model modelFromBytes(byte[] file) throws InvalidModelException {
    return ModelFormat.read(file);
  }

  /** The model in a saved model's or learner's file. */
  public static Model loadModel(Path path) throws IOException {
    return ModelFormat.read(path);
  }

  /** A saved learner, to go on as if it had never stopped. */
  public static Learner loadLearner(Path path) throws IOException {
    return Learner.fromBytes(ModelFormat.bytes(path));
  }
}
