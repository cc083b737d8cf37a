// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cells of learners whose spaces are divided alike: engines of one cell are summed as those of
 * the whole space are, and their contests are pooled. The sum has learned more than each of them:
 * where they were compared, it predicts unless they are clearly worse.
 *
 * <p>A shard learns in the cells whose engines its start has. The other cells of a shard are
 * closed, since a merge could not tell what engines of their own began with; in the sum they are as
 * in the start.
 */
final class CellSum {
  /** Standard errors that engines of a cell must be worse by for their sum not to predict. */
  private static final double CLEARLY = 2;

  private CellSum() {}

  /** Whether spaces are divided alike, or not at all. */
  static boolean areAlike(List<Levels<TunedEngine>> all) {
    return all.stream().map(CellSum::divisions).distinct().count() == 1;
  }

  private static List<Partition> divisions(Levels<TunedEngine> levels) {
    return levels.list.stream().map(level -> level.partition).toList();
  }

  /** Gives a shard the cells of its start. */
  static void share(Levels<TunedEngine> start, Levels<TunedEngine> shard) {
    for (Level<TunedEngine> level : start.list) {
      List<Cell<TunedEngine>> cells = new ArrayList<>();
      for (Cell<TunedEngine> begun : level.cells) {
        Cell<TunedEngine> cell = new Cell<>();
        if (begun.expert == null) {
          cell.closed = true;
        } else {
          cell.expert = EngineSum.shard(begun.expert);
          follow(cell, begun);
        }
        cells.add(cell);
      }
      Level<TunedEngine> copy = shard.level(level.period, level.partition, cells);
      copy.contest.follow(level.contest);
      shard.add(copy);
    }
    shard.turn = start.turn;
  }

  /**
   * Gives {@code sum} the cells of shards, which are divided alike, and as their start if they have
   * one.
   *
   * @throws IllegalArgumentException if an engine of a cell did not begin as that of the start
   */
  static void add(
      Levels<TunedEngine> sum,
      @Nullable Levels<TunedEngine> start,
      List<Levels<TunedEngine>> shards) {
    Levels<TunedEngine> like = start == null ? shards.get(0) : start;
    for (int i = 0; i < like.list.size(); i++) {
      int index = i;
      Level<TunedEngine> begun = like.list.get(i);
      List<Level<TunedEngine>> levels = shards.stream().map(s -> s.list.get(index)).toList();
      List<Cell<TunedEngine>> cells = new ArrayList<>();
      Level<TunedEngine> level = sum.level(begun.period, begun.partition, cells);
      pool(
          level.contest,
          levels.stream().map(l -> l.contest).toList(),
          start == null ? null : begun.contest);
      for (int j = 0; j < begun.cells.size(); j++) {
        int number = j;
        List<Cell<TunedEngine>> parts = levels.stream().map(l -> l.cells.get(number)).toList();
        cells.add(start == null ? sum(parts) : sum(begun.cells.get(j), parts));
      }
      cells.forEach(level::fitIfFull);
      level.recount();
      sum.add(level);
    }
    sum.turn = like.turn;
  }

  /** The sum of one cell of shards that began as copies. */
  private static Cell<TunedEngine> sum(Cell<TunedEngine> start, List<Cell<TunedEngine>> shards) {
    Cell<TunedEngine> sum = new Cell<>();
    TunedEngine begun = start.expert;
    if (begun == null) {
      sum.closed = start.closed;
      start.stored.list().forEach(one -> sum.stored.add(one.x(), one.y(), one.weight()));
      return sum;
    }
    List<TunedEngine> experts = experts(shards);
    if (!experts.stream().allMatch(expert -> EngineSum.isShard(expert, begun))) {
      throw new IllegalArgumentException(
          "the engine of a cell did not begin as that of the start; merge shards of the start");
    }
    sum.closed = experts.isEmpty();
    if (!sum.closed) {
      sum.expert = EngineSum.of(begun, experts);
      compare(sum, shards, start);
    }
    return sum;
  }

  /** The sum of one cell of learners that each began with nothing. */
  private static Cell<TunedEngine> sum(List<Cell<TunedEngine>> shards) {
    Cell<TunedEngine> sum = new Cell<>();
    List<StoredInstances.Kept> stored =
        shards.stream().flatMap(cell -> cell.stored.list().stream()).toList();
    List<TunedEngine> experts = experts(shards);
    if (experts.isEmpty()) {
      sum.closed = shards.stream().allMatch(cell -> cell.closed);
      stored.forEach(one -> sum.stored.add(one.x(), one.y(), one.weight()));
    } else {
      TunedEngine expert = EngineSum.of(experts);
      stored.forEach(one -> expert.learn(one.x(), one.y(), one.weight()));
      sum.expert = expert;
      compare(sum, shards, null);
    }
    return sum;
  }

  private static List<TunedEngine> experts(List<Cell<TunedEngine>> cells) {
    return cells.stream().map(cell -> cell.expert).filter(Objects::nonNull).toList();
  }

  /** Decides whether the sum of a cell's engines predicts. */
  private static void compare(
      Cell<TunedEngine> sum, List<Cell<TunedEngine>> shards, @Nullable Cell<TunedEngine> start) {
    List<Cell<TunedEngine>> open = shards.stream().filter(cell -> cell.expert != null).toList();
    sum.idle = open.stream().mapToLong(cell -> cell.idle).min().orElse(0);
    boolean compared =
        pool(
            sum.contest,
            open.stream().map(cell -> cell.contest).toList(),
            start == null ? null : start.contest);
    if (compared) {
      sum.contest.lead(sum.contest.isWorse(Cell.OWN, CLEARLY) ? Cell.OUTER : Cell.OWN);
    }
  }

  /** Pools contests; whether anything was observed since they began as {@code start}. */
  private static boolean pool(Contest sum, List<Contest> contests, @Nullable Contest start) {
    long common = start == null ? 0 : start.seen();
    boolean more = contests.stream().anyMatch(contest -> contest.seen() > common);
    if (more) {
      sum.pool(contests, common);
    } else {
      sum.follow(start == null ? contests.get(0) : start);
    }
    return more;
  }

  private static void follow(Cell<TunedEngine> cell, Cell<TunedEngine> other) {
    cell.contest.follow(other.contest);
    cell.idle = other.idle;
  }
}
