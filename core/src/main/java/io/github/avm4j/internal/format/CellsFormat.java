// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Partition;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The CELLS section: levels, oldest first; each a scaling and the centres, or a tree; and for each
 * cell that has a model the bytes of a file of its own, a model's or a learner's.
 */
public final class CellsFormat {
  /** Bytes of a node of a tree. */
  private static final int NODE = 20;

  /** Divisions of a model. */
  private static final int MOST_LEVELS = 3;

  private CellsFormat() {}

  static byte[] write(List<Cells> levels) {
    ByteWriter out = new ByteWriter();
    out.u8(levels.size());
    for (Cells cells : levels) {
      write(
          out,
          cells.partition(),
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
  private static void write(
      ByteWriter out, Partition partition, IntFunction<byte @Nullable []> files) {
    write(out, partition);
    for (int i = 0; i < partition.size(); i++) {
      byte[] file = files.apply(i);
      out.u8(file == null ? 0 : 1);
      if (file != null) {
        out.i32(file.length);
        out.raw(file);
      }
    }
  }

  /** A division of the space. */
  public static void write(ByteWriter out, Partition partition) {
    if (partition instanceof Centres centres) {
      ModelFormat.writeScaling(out, centres.scaling());
      ModelFormat.writeCoreSet(out, centres.points());
    } else {
      writeTree(out, (SplitTree) partition);
    }
  }

  /** In the place of centres: no scaling and an empty set of them, which is of no use otherwise. */
  private static void writeTree(ByteWriter out, SplitTree tree) {
    ModelFormat.writeScaling(out, Scaling.none());
    int dimension = tree.dimension();
    boolean tiled = dimension <= CoreSet.TILED_DIMENSION_LIMIT;
    ModelFormat.writeCoreSet(
        out,
        !tree.isOpenEnded()
            ? CoreSet.dense(dimension)
            : tiled ? CoreSet.sparse(dimension) : CoreSet.postings(dimension));
    out.i32(tree.nodes());
    for (int i = 0; i < tree.nodes(); i++) {
      out.i32(tree.feature(i));
      out.f64(tree.threshold(i));
      out.i32(tree.below(i));
      out.i32(tree.above(i));
    }
  }

  private static SplitTree readTree(ByteReader in, CoreSet form) throws InvalidModelException {
    int nodes = in.count("nodes of a tree", NODE);
    int[] features = new int[nodes];
    double[] thresholds = new double[nodes];
    int[] below = new int[nodes];
    int[] above = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      features[i] = in.i32();
      thresholds[i] = in.f64("threshold");
      below[i] = in.i32();
      above[i] = in.i32();
    }
    try {
      return new SplitTree(
          form.dimension(), form.isOpenEnded(), features, thresholds, below, above);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the tree is not valid: " + e.getMessage(), e);
    }
  }

  /** A division of the space, as {@link #write(ByteWriter, Partition)} wrote it. */
  public static Partition readPartition(ByteReader in) throws InvalidModelException {
    Scaling scaling = ModelFormat.readScaling(in);
    CoreSet centres = ModelFormat.readCoreSet(in, 1);
    return centres.size() == 0 ? readTree(in, centres) : new Centres(scaling, centres);
  }

  /** What the section holds of a level: files of cells, null where there is none. */
  record Saved(Partition partition, List<byte @Nullable []> files) {}

  static List<Saved> read(ByteReader in) throws InvalidModelException {
    int count = in.code("levels of cells", MOST_LEVELS + 1);
    List<Saved> levels = new ArrayList<>();
    for (int l = 0; l < count; l++) {
      Partition partition = readPartition(in);
      List<byte @Nullable []> files = new ArrayList<>();
      for (int i = 0; i < partition.size(); i++) {
        boolean present = in.code("model of a cell", 2) == 1;
        files.add(present ? in.raw(in.count("bytes of a cell", 1)) : null);
      }
      levels.add(new Saved(partition, files));
    }
    in.end();
    return levels;
  }

  /** A model with its levels of cells. */
  static Model read(Model model, ByteReader in) throws InvalidModelException {
    List<Cells> levels = new ArrayList<>();
    try {
      for (Saved saved : read(in)) {
        List<@Nullable Model> models = new ArrayList<>();
        for (byte[] file : saved.files) {
          models.add(file == null ? null : part(file));
        }
        levels.add(new Cells(saved.partition, models));
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
