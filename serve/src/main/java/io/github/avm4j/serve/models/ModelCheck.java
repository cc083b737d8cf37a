// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Checks a file before its model is used: format and checksums, then a probe. */
final class ModelCheck {
  private static final int PROBES = 16;

  private ModelCheck() {}

  /**
   * The model in {@code file}.
   *
   * @throws RefusedModelException if it is damaged or cannot predict
   */
  static RowModel check(byte[] file) throws RefusedModelException {
    RowModel rows;
    try {
      rows = RowModel.read(file);
    } catch (InvalidModelException e) {
      throw new RefusedModelException("not a model: " + e.getMessage(), e);
    }
    return check(rows, rows.model().parts());
  }

  /**
   * A model that has been read.
   *
   * @param parts models of cells that were not checked before
   * @throws RefusedModelException if it cannot predict
   */
  static RowModel check(RowModel rows, List<Model> parts) throws RefusedModelException {
    Model model = rows.model();
    if (model.task() == Task.CLASSIFICATION && model.classes() == 0) {
      throw new RefusedModelException("a classifier that knows no class yet");
    }
    double[] scores = new double[Math.max(1, model.classes())];
    try {
      probe(model, emptyRow(rows), scores);
      for (FeatureVector x : CorePoints.spread(model, PROBES)) {
        probe(model, x, scores);
      }
      probeCells(parts);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new RefusedModelException("predicting a test row failed: " + e.getMessage(), e);
    }
    return rows;
  }

  /** Has each cell's own expansion predict its first core point. */
  private static void probeCells(List<Model> parts) throws RefusedModelException {
    for (Model part : parts) {
      if (part.expansionSize() > 0) {
        double[] scores = new double[Math.max(1, part.classes())];
        probe(part, CorePoints.instance(part, 0), scores);
      }
    }
  }

  private static void probe(Model model, FeatureVector x, double[] scores)
      throws RefusedModelException {
    model.scores(x, scores);
    for (double score : scores) {
      if (!Double.isFinite(score)) {
        throw new RefusedModelException("the score of a test row is " + score);
      }
    }
  }

  /** A row whose cells are all missing. */
  private static FeatureVector emptyRow(RowModel rows) {
    if (rows.schema().isNumbered()) {
      return FeatureVector.sparse(new int[0], new double[0]);
    }
    Row row = new Row();
    row.reset(0);
    return rows.schema().encoder(List.of()).encode(row).copy();
  }

  /**
   * Digest of a file. Not a CRC: over a file that carries its own, a CRC is the same for every
   * content.
   */
  static String digest(byte[] file) {
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(file);
      return HexFormat.of().formatHex(all, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The model's name is part of addresses and file names, so it is held to few characters. */
  static void checkName(String name) throws RefusedModelException {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
      throw new RefusedModelException(
          "'"
              + (name.length() > 60 ? name.substring(0, 60) + "…" : name)
              + "' is no name: letters, digits, '.', '_', '-', at most 100");
    }
  }
}
