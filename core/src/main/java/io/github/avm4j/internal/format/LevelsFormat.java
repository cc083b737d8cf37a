// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CELL_LEARNERS section: what {@link Levels} need beyond the section CELLS to go on. The
 * engines of cells that predict are whole learners in CELLS, so that a model can be read from
 * there; the others are here.
 */
final class LevelsFormat {
  private LevelsFormat() {}

  static void write(Levels<TunedEngine> levels, Map<Integer, byte[]> payloads) {
    payloads.remove(Sections.CELLS);
    if (levels.isDivided()) {
      ByteWriter cells = new ByteWriter();
      cells.u8(levels.list.size());
      for (Level<TunedEngine> level : levels.list) {
        CellsFormat.write(cells, level.partition, i -> leading(level.cells.get(i)));
      }
      payloads.put(Sections.CELLS, cells.toBytes());
    }
    ByteWriter out = new ByteWriter();
    out.u8(levels.made);
    out.i64(levels.passed);
    out.i64(levels.before);
    out.i64(levels.turn);
    InstancesFormat.write(out, levels.kept);
    for (Level<TunedEngine> level : levels.list) {
      out.i32(level.period);
      ContestFormat.write(out, level.contest);
      level.cells.forEach(cell -> writeCell(out, cell));
    }
    payloads.put(Sections.CELL_LEARNERS, out.toBytes());
  }

  private static byte @Nullable [] leading(Cell<TunedEngine> cell) {
    TunedEngine expert = cell.expert;
    return expert == null || !cell.leads() ? null : TunedFormat.write(expert);
  }

  private static void writeCell(ByteWriter out, Cell<TunedEngine> cell) {
    out.u8(cell.closed ? 1 : 0);
    ContestFormat.write(out, cell.contest);
    out.i64(cell.idle);
    InstancesFormat.write(out, cell.stored);
    TunedEngine waiting = cell.leads() ? null : cell.expert;
    out.u8(waiting == null ? 0 : 1);
    if (waiting != null) {
      byte[] file = TunedFormat.write(waiting);
      out.i32(file.length);
      out.raw(file);
    }
  }

  /** Fills an undivided space with what a file holds, if it holds anything. */
  static void read(Map<Integer, ByteReader> sections, AutoEngine learner)
      throws InvalidModelException {
    Levels<TunedEngine> levels = learner.levels;
    ByteReader in = sections.get(Sections.CELL_LEARNERS);
    ByteReader cells = sections.get(Sections.CELLS);
    if (in == null) {
      if (cells != null) {
        throw new InvalidModelException("a learner's cells need the section CELL_LEARNERS");
      }
      return;
    }
    levels.made = in.code("divisions", Levels.MOST_MADE + 1);
    levels.passed = LearnerFormat.count(in, "instances left to cells");
    levels.before = LearnerFormat.count(in, "instances before");
    levels.turn = LearnerFormat.count(in, "instances of proven cells");
    readInstances(in, learner, levels.kept);
    if (cells != null) {
      for (CellsFormat.Saved saved : CellsFormat.read(cells.again())) {
        levels.add(readLevel(in, saved, learner));
      }
    }
    in.end();
  }

  private static Level<TunedEngine> readLevel(
      ByteReader in, CellsFormat.Saved saved, AutoEngine learner) throws InvalidModelException {
    int period = in.i32();
    Partition partition = saved.partition();
    if (period < 1 || period > Levels.MOST_PERIOD || partition.size() > learner.levels.most) {
      throw new InvalidModelException(
          "%d cells of a learner of at most %d, fitted to %d instances"
              .formatted(partition.size(), learner.levels.most, period));
    }
    List<Cell<TunedEngine>> cells = new ArrayList<>();
    Level<TunedEngine> level = learner.levels.level(period, partition, cells);
    ContestFormat.read(in, level.contest);
    for (int i = 0; i < partition.size(); i++) {
      cells.add(readCell(in, saved.files().get(i), learner));
    }
    level.recount();
    return level;
  }

  private static Cell<TunedEngine> readCell(
      ByteReader in, byte @Nullable [] leading, AutoEngine learner) throws InvalidModelException {
    Cell<TunedEngine> cell = new Cell<>();
    cell.closed = in.code("closed", 2) == 1;
    ContestFormat.read(in, cell.contest);
    cell.idle = LearnerFormat.count(in, "idle");
    readInstances(in, learner, cell.stored);
    boolean waits = in.code("engine of a cell", 2) == 1;
    byte[] file = waits ? in.raw(in.count("bytes of a cell", 1)) : leading;
    boolean valid =
        cell.leads() == (leading != null)
            && !(waits && leading != null)
            && (file == null || (!cell.closed && cell.stored.size() == 0));
    if (!valid) {
      throw new InvalidModelException("a cell does not fit together");
    }
    cell.expert = file == null ? null : readExpert(file, learner);
    return cell;
  }

  private static TunedEngine readExpert(byte[] file, AutoEngine outer)
      throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    Model model = TunedFormat.inner(sections, "what a cell holds");
    TunedEngine expert = TunedFormat.read(sections, model);
    expert.ofCell = true;
    CoreSet own = expert.leader().set;
    CoreSet around = outer.leader().set;
    if (expert.isEstimating()
        || expert.config.cells() > 0
        || expert.task() != outer.task()
        || own.isOpenEnded() != around.isOpenEnded()
        || (!own.isOpenEnded() && own.dimension() != around.dimension())) {
      throw new InvalidModelException("a learner of a cell is not of the same stream");
    }
    return expert;
  }

  private static void readInstances(ByteReader in, AutoEngine learner, StoredInstances into)
      throws InvalidModelException {
    CoreSet set = learner.leader().set;
    int features = set.isOpenEnded() ? learner.settings().features() : set.dimension();
    InstancesFormat.read(in, learner.task(), features, into);
  }

  /** Checks that neither cells nor stored instances have a class that the learner has not. */
  static void requireKnownClasses(AutoEngine learner) throws InvalidModelException {
    for (StoredInstances.Kept stored : learner.whole.stored.list()) {
      if (!learner.knows(stored.y())) {
        throw new InvalidModelException("a stored instance has a class that the learner has not");
      }
    }
    for (Level<TunedEngine> level : learner.levels.list) {
      for (Cell<TunedEngine> cell : level.cells) {
        TunedEngine expert = cell.expert;
        for (int j = 0; expert != null && j < expert.classes(); j++) {
          if (!learner.knows(expert.label(j))) {
            throw new InvalidModelException("a cell has a class that the learner has not");
          }
        }
      }
    }
  }
}
