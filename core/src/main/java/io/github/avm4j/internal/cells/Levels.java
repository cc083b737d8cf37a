// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.cells;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.model.Cells;
import io.github.avm4j.partition.Partition;
import io.github.avm4j.partition.SplitTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Divides the space of an engine, the outer one, into cells with engines of their own, and again
 * into four times as many whenever the stream has become four times as long and cells pay. So the
 * detail that is learned grows with the stream, while an instance is learned by few engines.
 *
 * <p>Two {@link Level}s of cells are alive at most. What predicts is the outer engine, unless the
 * cell of the older level has proved better, unless that of the newer one has. Instances are kept
 * from one division to the next. They say how to divide ({@link PartitionChoice}) and are handed to
 * the cells, so that engines of cells do not begin with nothing. Where a cell has proved better,
 * what is outside of it learns from one instance in {@value #SHARE} only.
 *
 * @param <E> the kind of the engines
 */
public final class Levels<E extends Engine> {
  /** The first level has so many cells, after so many instances. */
  private static final int FIRST_CELLS = 16;

  private static final int FIRST_AFTER = 3000;

  /** Every level has so many times the cells of the one before, after so many times as long. */
  static final int FACTOR = 4;

  /** Most divisions. */
  public static final int MOST_MADE = 19;

  /** Levels alive. */
  public static final int MOST = 2;

  /** Instances that engines of the leaves of a tree are fitted to. */
  private static final int LEAF_PERIOD = 60;

  /** Those of cells around centres: on the first two levels, and later. */
  private static final int PERIOD = 300;

  private static final int LATER_PERIOD = 600;

  /** The longer of these. */
  public static final int MOST_PERIOD = LATER_PERIOD;

  /** Most instances, and bytes of them, that are kept for the next division. */
  public static final int MOST_KEPT = 50_000;

  public static final long MOST_KEPT_BYTES = 1 << 25;

  private static final int SHARE = 8;

  /** Most cells of a level. */
  public final int most;

  /** Oldest first. */
  public final List<Level<E>> list = new ArrayList<>();

  /** Recent instances, before scaling. */
  public final StoredInstances kept = new StoredInstances();

  /** Number of divisions so far, at most {@link #MOST_MADE}. */
  public int made;

  /** Instances that the outer engine left to a cell. */
  public long passed;

  /** Instances that count though neither the outer engine nor a cell has learned from them. */
  public long before;

  /** Instances of proven cells, of which the others learn from some. */
  public long turn;

  private final Growth<E> growth;

  /** A space that is not divided yet; it never will be if {@code most} is less than 2. */
  public Levels(Growth<E> growth, int most) {
    this.growth = growth;
    this.most = most;
  }

  /** Whether there are cells. */
  public boolean isDivided() {
    return !list.isEmpty();
  }

  /** Number of cells of the newest level. */
  public int cells() {
    return list.isEmpty() ? 0 : newest().cells.size();
  }

  private Level<E> newest() {
    return list.get(list.size() - 1);
  }

  /** {@link #FACTOR} to a power. */
  private static long factor(int power) {
    return 1L << (2 * power);
  }

  /** Instances after which the space is divided next. */
  public long next() {
    return FIRST_AFTER * factor(made);
  }

  /** Number of cells of a level, were there room for any number. */
  private int wanted(int level) {
    return (int) Math.min(most, FIRST_CELLS * factor(level));
  }

  /**
   * Whether the space will be divided again: into more cells than last time, unless cells were
   * worse.
   */
  private boolean grows() {
    boolean more = made == 0 ? most > 1 : wanted(made) > wanted(made - 1);
    return more && (list.isEmpty() || !Level.isInferior(newest().contest));
  }

  /** Whether the cells there are, if any, do not make it worse; until then dividing waits. */
  private boolean pays() {
    return list.isEmpty() || !newest().contest.isWorse(Cell.OWN, 0);
  }

  /** Instances that the engine of a cell around a centre, of level {@code index}, is fitted to. */
  public static int period(int index) {
    return index < 2 ? PERIOD : LATER_PERIOD;
  }

  /**
   * Finds the cells of an instance, from the newest level on, until one goes on alone: it has
   * proved better, and all outside of it learn from one instance in {@value #SHARE} only.
   *
   * @param learns whether a cell may learn from the instance alone
   * @return the level of that cell; −1 if there is none, and all have been found
   */
  public int meet(FeatureVector x, boolean learns) {
    boolean may = learns;
    for (int i = list.size() - 1; i >= 0; i--) {
      Level<E> level = list.get(i);
      if (level.meet(x).isProven(Level.isTrusted(level.contest)) && may) {
        if (++turn % SHARE != 0) {
          return i;
        }
        may = false;
      }
    }
    return -1;
  }

  /**
   * The engine of the cell that an instance has met on a level predicts for it and learns from it,
   * in the place of all outside of the cell.
   *
   * @param scores receives the scores, by the classes of {@code outer}
   */
  public double pass(
      int level, FeatureVector x, double y, double weight, double[] scores, Engine outer) {
    passed++;
    return list.get(level).met().pass(x, y, weight, scores, outer);
  }

  /**
   * The cells that an instance has met, from level {@code first} on, learn after what is outside.
   *
   * @param prediction of what is outside
   * @param scores of what is outside; replaced if a cell's engine predicts
   * @return the prediction of the one in charge
   */
  public double join(
      int first,
      FeatureVector x,
      double y,
      double weight,
      double prediction,
      double[] scores,
      Engine outer) {
    double best = prediction;
    for (int i = first; i < list.size(); i++) {
      best = list.get(i).join(x, y, weight, best, scores, outer);
    }
    return best;
  }

  /** The cell whose engine predicts for x; null if the outer engine does. */
  public @Nullable Cell<E> leading(FeatureVector x) {
    for (int i = list.size() - 1; i >= 0; i--) {
      Cell<E> cell = list.get(i).find(x);
      if (cell.leads()) {
        return cell;
      }
    }
    return null;
  }

  /**
   * A copy of x; dense if the partition, or the core points of the engine, are not open-ended, so
   * that a stream in sparse form is stored as in dense form.
   */
  static FeatureVector stored(FeatureVector x, boolean openEnded, int dimension) {
    if (!x.isSparse() || openEnded || x.dimension() > dimension) {
      return x.copy();
    }
    double[] values = new double[dimension];
    for (int k = 0; k < x.count(); k++) {
      values[x.indices()[k]] = x.values()[k];
    }
    return FeatureVector.dense(values);
  }

  /**
   * Keeps an instance for the next division; of many, the younger ones.
   *
   * @param like core points of the outer engine
   */
  public void keep(FeatureVector x, double y, double weight, CoreSet like) {
    if (!grows()) {
      kept.clear();
      return;
    }
    if (kept.size() >= MOST_KEPT || kept.bytes() + StoredInstances.bytesOf(x) > MOST_KEPT_BYTES) {
      kept.removeFirst((kept.size() + 1) / 2);
    }
    kept.add(stored(x, like.isOpenEnded(), like.dimension()), y, weight);
  }

  /** Keeps the instances that the outer engine was fitted to. */
  public void keepAll(StoredInstances instances, CoreSet like) {
    instances.list().forEach(one -> keep(one.x(), one.y(), one.weight(), like));
  }

  /**
   * Divides the space if it is time.
   *
   * @param instances of the outer engine
   * @param scaling of the outer engine
   * @param config of the outer engine
   * @param room for so many cells on one level
   */
  public void advance(long instances, Scaling scaling, SecondOrderConfig config, int room) {
    if (instances >= next() && hasEnough() && grows() && pays()) {
      int count = Math.min(wanted(made), room);
      if (count > Math.max(1, cells())) {
        divide(PartitionChoice.of(kept, scaling, config, count));
      }
      made++;
      kept.clear();
    }
  }

  /** Whether as many are kept as before a first division, or, where they are large, many bytes. */
  private boolean hasEnough() {
    return kept.size() >= FIRST_AFTER || kept.bytes() >= MOST_KEPT_BYTES / 4;
  }

  private void divide(@Nullable Partition partition) {
    if (partition == null) {
      return;
    }
    List<Cell<E>> cells = new ArrayList<>();
    for (int i = 0; i < partition.size(); i++) {
      cells.add(new Cell<>());
    }
    int period = partition instanceof SplitTree ? LEAF_PERIOD : period(made);
    Level<E> level = level(period, partition, cells);
    kept.list().forEach(level::store);
    add(level);
  }

  /** A level whose cells get engines as these do. */
  public Level<E> level(int period, Partition partition, List<Cell<E>> cells) {
    return new Level<>(growth, period, partition, cells);
  }

  /** Adds the newest level; the oldest goes where there would be too many. */
  public void add(Level<E> level) {
    list.add(level);
    if (list.size() > MOST) {
      list.remove(0);
    }
  }

  /** Calls for every engine of a cell. */
  public void forEach(Consumer<E> action) {
    for (Level<E> level : list) {
      for (Cell<E> cell : level.cells) {
        if (cell.expert != null) {
          action.accept(cell.expert);
        }
      }
    }
  }

  /** Gives stored instances of classes other labels; engines are not changed. */
  public void relabel(DoubleUnaryOperator renamed) {
    kept.relabel(renamed);
    list.forEach(level -> level.cells.forEach(cell -> cell.stored.relabel(renamed)));
  }

  /** Number of core points of engines of cells that predict. */
  public int predictingPoints() {
    int sum = 0;
    for (Level<E> level : list) {
      for (Cell<E> cell : level.cells) {
        sum += cell.leads() ? cell.present().size() : 0;
      }
    }
    return sum;
  }

  /** The levels of a model, oldest first; those without a cell that predicts are left out. */
  public List<Cells> snapshot() {
    List<Cells> levels = new ArrayList<>();
    for (Level<E> level : list) {
      Cells cells = level.snapshot();
      if (cells != null) {
        levels.add(cells);
      }
    }
    return levels;
  }
}
