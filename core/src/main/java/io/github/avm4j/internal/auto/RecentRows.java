// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last rows of the stream, for all that is taught on rows of before: relevance, divisions. Once
 * it is full a row takes the arrays of the oldest, so that nothing is allocated where rows are
 * dense.
 */
final class RecentRows {
  private static final int LEAST_ROOM = 64;

  private final int most;
  private final long mostBytes;

  /** A ring: the oldest is at {@link #oldest}. */
  private @Nullable FeatureVector[] vectors = new FeatureVector[LEAST_ROOM];

  private double[] targets = new double[LEAST_ROOM];
  private double[] weights = new double[LEAST_ROOM];
  private int oldest;
  private int size;
  private long added;
  private long bytes;

  RecentRows(Setup setup) {
    this(setup.rows(), setup.rowBytes());
  }

  /** So many rows, and bytes of them, at most. */
  RecentRows(int most, long mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  void add(FeatureVector x, double y, double weight) {
    @Nullable FeatureVector room = size == most ? removed() : null;
    while (size > 0 && bytes + StoredInstances.bytesOf(x) > mostBytes) {
      room = removed();
    }
    if (room != null && !x.isSparse() && !room.isSparse() && x.count() == room.count()) {
      System.arraycopy(x.values(), 0, room.values(), 0, x.count());
      put(room, y, weight);
    } else {
      put(x.copy(), y, weight);
    }
  }

  /** The oldest, which is none of these any more. */
  private @Nullable FeatureVector removed() {
    FeatureVector old = at(oldest);
    vectors[oldest] = null;
    bytes -= StoredInstances.bytesOf(old);
    oldest = (oldest + 1) % vectors.length;
    size--;
    return old;
  }

  private FeatureVector at(int place) {
    FeatureVector x = vectors[place];
    if (x == null) {
      throw new IllegalStateException("no row at " + place);
    }
    return x;
  }

  /** Adds a vector that is nobody else's. */
  void put(FeatureVector x, double y, double weight) {
    if (size == vectors.length) {
      grow();
    }
    int place = (oldest + size) % vectors.length;
    vectors[place] = x;
    targets[place] = y;
    weights[place] = weight;
    size++;
    added++;
    bytes += StoredInstances.bytesOf(x);
  }

  /** Twice the room; it is full, and begins at {@link #oldest}. */
  private void grow() {
    int before = vectors.length;
    int room = Math.min(Math.max(most, 1), 2 * before);
    vectors = Arrays.copyOf(vectors, room);
    targets = Arrays.copyOf(targets, room);
    weights = Arrays.copyOf(weights, room);
    // The part before the oldest follows what was the end, as far as there is room.
    for (int i = 0; i < oldest; i++) {
      int place = (before + i) % room;
      vectors[place] = vectors[i];
      targets[place] = targets[i];
      weights[place] = weights[i];
      vectors[i] = null;
    }
  }

  int size() {
    return size;
  }

  /** Whether the next row of usual size takes the place of others. */
  boolean isFull() {
    return size == most || size > 0 && bytes + bytes / size > mostBytes;
  }

  /** Bytes of all of them, headers included. */
  long bytes() {
    return bytes;
  }

  /** Their bytes in a file. */
  long fileBytes() {
    return bytes - size * FileSize.NOT_IN_FILE;
  }

  /** The last so many, or all, oldest first. */
  List<StoredInstances.Kept> last(int count) {
    List<StoredInstances.Kept> rows = new ArrayList<>();
    for (int i = Math.max(0, size - count); i < size; i++) {
      int place = (oldest + i) % vectors.length;
      rows.add(new StoredInstances.Kept(at(place), targets[place], weights[place]));
    }
    return rows;
  }

  /** Rows kept so far, with those that have gone: the number of the next. */
  long added() {
    return added;
  }

  /** Number of the oldest row that is there. */
  long first() {
    return added - size;
  }

  /** The row of a number, until another is added. */
  StoredInstances.Kept row(long number) {
    int place = (int) ((oldest + number - first()) % vectors.length);
    return new StoredInstances.Kept(at(place), targets[place], weights[place]);
  }

  /** The features of rows. */
  static List<FeatureVector> vectors(List<StoredInstances.Kept> rows) {
    return rows.stream().map(StoredInstances.Kept::x).toList();
  }

  void write(StateWriter out) {
    out.rows(last(size));
  }

  static RecentRows read(StateReader in) throws InvalidModelException {
    RecentRows rows = new RecentRows(in.setup());
    for (StoredInstances.Kept row : in.rows()) {
      rows.put(row.x(), row.y(), row.weight());
    }
    return rows;
  }
}
