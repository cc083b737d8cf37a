// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.model;

import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads model files; error messages name the file. */
public final class ModelFile {
  private ModelFile() {}

  /** Reads the model of a file, or of the parts that it lists. */
  public static RowModel read(Path path) throws IOException {
    try {
      return RowModel.read(checked(path));
    } catch (InvalidModelException e) {
      throw new AvmException(
          path + ": cannot be read as a model: " + e.getMessage() + advice(path), e);
    }
  }

  /** What to do with a file of data. */
  private static String advice(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      for (byte one : in.readNBytes(1000)) {
        if (one >= 0 && one < '\t') {
          return "";
        }
      }
    }
    return "; avm train " + path + " -m MODEL.avm makes a model of data";
  }

  /** Reads the learner of a file, to resume it. */
  public static RowLearner learner(Path path) throws IOException {
    try {
      return RowLearner.read(bytes(path));
    } catch (InvalidModelException e) {
      throw new AvmException(path + ": cannot be resumed: " + e.getMessage(), e);
    }
  }

  /** Reads the learner of a file, null if it has a model only. */
  public static @Nullable Learner learnerIfAny(Path path) throws IOException {
    try {
      return RowLearner.read(bytes(path)).learner();
    } catch (InvalidModelException e) {
      return null;
    }
  }

  private static byte[] bytes(Path path) throws IOException {
    return RowModel.bytes(checked(path));
  }

  private static Path checked(Path path) {
    if (Files.isDirectory(path)) {
      throw new AvmException(path + ": is a folder; give a model file");
    }
    if (!Files.exists(path)) {
      throw new AvmException(path + ": no such file; avm train writes models");
    }
    return path;
  }
}
