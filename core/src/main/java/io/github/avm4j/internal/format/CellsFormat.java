// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The CELLS section: levels, oldest first; each a scaling, the centres, and for each cell that has
 * a model the bytes of a file of its own, a model's or a learner's.
 */
final class CellsFormat {
  private CellsFormat() {}

  static byte[] write(List<Cells> levels) {
    ByteWriter out = new ByteWriter();
    out.u8(levels.size());
    for (Cells cells : levels) {
      write(
          out,
          cells.scaling(),
          cells.centres(),
          i -> {
            Model model = cells.model(i);
            return model == null ? null : ModelFormat.write(model);
          });
    }
    return out.toBytes();
  }

  /**
   * One level.
   *
   * @param files from a cell to its file, or null
   */
  static void write(
      ByteWriter out, Scaling scaling, CoreSet centres, IntFunction<byte @Nullable []> files) {
    ModelFormat.writeScaling(out, scaling);
    ModelFormat.writeCoreSet(out, centres);
    for (int i = 0; i < centres.size(); i++) {
      byte[] file = files.apply(i);
      out.u8(file == null ? 0 : 1);
      if (file != null) {
        out.i32(file.length);
        out.raw(file);
      }
    }
  }

  /** What the section holds of a level: files of cells, null where there is none. */
  record Saved(Scaling scaling, CoreSet centres, List<byte @Nullable []> files) {}

  static List<Saved> read(ByteReader in) throws InvalidModelException {
    int count = in.code("levels of cells", Levels.MOST + 1);
    List<Saved> levels = new ArrayList<>();
    for (int l = 0; l < count; l++) {
      Scaling scaling = ModelFormat.readScaling(in);
      CoreSet centres = ModelFormat.readCoreSet(in, 1);
      List<byte @Nullable []> files = new ArrayList<>();
      for (int i = 0; i < centres.size(); i++) {
        boolean present = in.code("model of a cell", 2) == 1;
        files.add(present ? in.raw(in.count("bytes of a cell", 1)) : null);
      }
      levels.add(new Saved(scaling, centres, files));
    }
    in.end();
    return levels;
  }

  /**
   * A model with its levels of cells.
   *
   * @param all whether levels in which no cell has a model are among them, as in a model's file;
   *     those of a learner's file are still to prove themselves
   */
  static Model read(Model model, ByteReader in, boolean all) throws InvalidModelException {
    List<Cells> levels = new ArrayList<>();
    try {
      for (Saved saved : read(in)) {
        List<@Nullable Model> models = new ArrayList<>();
        for (byte[] file : saved.files) {
          models.add(file == null ? null : part(file));
        }
        Cells cells = new Cells(saved.scaling, saved.centres, models);
        if (all || !cells.models().isEmpty()) {
          levels.add(cells);
        }
      }
      return model.with(levels);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the cells are not valid: " + e.getMessage(), e);
    }
  }

  /** A cell's model, which has no cells. */
  private static Model part(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    if (sections.containsKey(Sections.CELLS)) {
      throw new InvalidModelException("a cell has cells");
    }
    return ModelFormat.read(sections);
  }
}
