// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.model;

import io.github.avm4j.cli.failure.FailureException;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads model files, with messages that name them. */
public final class ModelFile {
  private ModelFile() {}

  /** The model in a file. */
  public static RowModel read(Path path) throws IOException {
    try {
      return RowModel.read(bytes(path));
    } catch (InvalidModelException e) {
      throw new FailureException(path + ": is not a model that can be read: " + e.getMessage(), e);
    }
  }

  /** The learner in a file, to go on. */
  public static RowLearner learner(Path path) throws IOException {
    try {
      return RowLearner.read(bytes(path));
    } catch (InvalidModelException e) {
      throw new FailureException(path + ": cannot go on learning from it: " + e.getMessage(), e);
    }
  }

  /** The learner in a file, or null if the file is a model's alone. */
  public static @Nullable Learner learnerIfAny(Path path) throws IOException {
    try {
      return RowLearner.read(bytes(path)).learner();
    } catch (InvalidModelException e) {
      return null;
    }
  }

  private static byte[] bytes(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FailureException(path + ": is a folder; name the model's file");
    }
    if (!Files.exists(path)) {
      throw new FailureException(path + ": there is no such file; avm train makes models");
    }
    return RowModel.bytes(path);
  }
}
