// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.Centres;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Centres for rows that are no longer where they were. Cells keep their place and centre, but for
 * <em>cold</em> ones, which almost no row visits: they get a new centre where a <em>hot</em> cell
 * has too many rows. The same cells and rows give the same centres.
 *
 * <ol>
 *   <li>An even share is the number of rows, divided by the number of places. A cell is cold below
 *       1/{@value #COLD} of it, and hot above {@value #HOT} times.
 *   <li>Places are free where there is no cell yet; after these, those of cold cells, the coldest
 *       first. One after the other goes to the cell with the most rows for each of its centres, as
 *       long as these are more than {@value #HOT} even shares.
 *   <li>A cell that gets k places is divided by k + 1 centres of its rows (k-means). It stays in
 *       place of the one nearest to its own; the k others are new.
 * </ol>
 */
public final class PlanRenewal {
  private static final int COLD = 16;
  private static final int HOT = 2;

  private final Centres cells;
  private final int places;
  private final int all;
  private final List<List<FeatureVector>> rows = new ArrayList<>();

  private PlanRenewal(Centres cells, List<FeatureVector> all, int most) {
    this.cells = cells;
    this.places = Math.max(most, cells.size());
    this.all = all.size();
    for (int cell = 0; cell < cells.size(); cell++) {
      rows.add(new ArrayList<>());
    }
    all.forEach(x -> rows.get(cells.indexOf(x)).add(x));
  }

  /**
   * The centres, in the order of the cells.
   *
   * @param rows recent rows, not scaled, of the form that the cells were made of
   * @param most cells; cells beyond that stay
   */
  public static CoreSet centres(Centres cells, List<FeatureVector> rows, int most) {
    return new PlanRenewal(cells, rows, most).centres();
  }

  private CoreSet centres() {
    Deque<Integer> free = free();
    int[] more = shares(free.size());
    @Nullable FeatureVector[] renewed = new FeatureVector[places];
    for (int cell = 0; cell < more.length; cell++) {
      for (FeatureVector centre : divided(cell, more[cell])) {
        renewed[free.remove()] = centre;
      }
    }
    CoreSet centres = cells.points().empty();
    for (int place = 0; place < places; place++) {
      FeatureVector old = place < cells.size() ? cells.point(place) : null;
      FeatureVector centre = renewed[place] == null ? old : renewed[place];
      if (centre != null) {
        centres = centres.roomFor(centre);
        centres.append(centre, true);
      }
    }
    return centres;
  }

  private Deque<Integer> free() {
    Deque<Integer> free = new ArrayDeque<>();
    IntStream.range(cells.size(), places).forEach(free::add);
    IntStream.range(0, cells.size())
        .filter(cell -> (long) rows.get(cell).size() * COLD * places < all)
        .boxed()
        .sorted(Comparator.comparing(cell -> rows.get(cell).size()))
        .forEach(free::add);
    return free;
  }

  /** How many more centres each cell gets. */
  private int[] shares(int free) {
    int[] more = new int[cells.size()];
    for (int given = 0; given < free; given++) {
      int hottest = 0;
      for (int cell = 1; cell < more.length; cell++) {
        if (perCentre(cell, more) > perCentre(hottest, more)) {
          hottest = cell;
        }
      }
      if (perCentre(hottest, more) * places <= (double) HOT * all) {
        break;
      }
      more[hottest]++;
    }
    return more;
  }

  private double perCentre(int cell, int[] more) {
    return (double) rows.get(cell).size() / (1 + more[cell]);
  }

  /** At most so many new centres among the rows of a cell, beside its own. */
  private List<FeatureVector> divided(int cell, int more) {
    List<FeatureVector> made = new ArrayList<>();
    CoreSet found = more == 0 ? null : KMeans.ofSample(rows.get(cell), cells.scaling(), more + 1);
    if (found != null) {
      CoreDistances distances = new CoreDistances();
      distances.measure(found, cells.point(cell));
      for (int i = 0; i < found.size(); i++) {
        if (i != distances.nearest()) {
          made.add(found.point(i));
        }
      }
    }
    return made;
  }
}
