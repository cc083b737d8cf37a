// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Core points as an inverted index: for each feature, the points that have it. Memory follows the
 * non-zeros and any index up to 2³¹−2 is welcome; a distance pass touches only the lists of x's own
 * features.
 */
final class PostingsCoreSet extends CoreSet {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int ENTRIES = 64;

  private int dimension;
  private int features;
  private @Nullable Posting[] table = new Posting[16];
  private int[] rowStart = new int[8];
  private int[] rowEnd = new int[8];

  /** Entries of rowIndices in use, those of replaced points included, and those of points alone. */
  private int used;

  private int live;
  private int[] rowIndices = new int[ENTRIES];
  private double[] rowValues = new double[ENTRIES];

  /** Bytes of all postings. */
  private long listBytes;

  /** {@code dimension}: features known in advance, 0 if none; grows. */
  public PostingsCoreSet(int dimension) {
    this.dimension = dimension;
  }

  private PostingsCoreSet(PostingsCoreSet other) {
    super(other);
    dimension = other.dimension;
    features = other.features;
    table = new Posting[other.table.length];
    for (int h = 0; h < table.length; h++) {
      Posting posting = other.table[h];
      table[h] = posting == null ? null : new Posting(posting);
    }
    rowStart = other.rowStart.clone();
    rowEnd = other.rowEnd.clone();
    used = other.used;
    live = other.live;
    listBytes = other.listBytes;
    rowIndices = Arrays.copyOf(other.rowIndices, used);
    rowValues = Arrays.copyOf(other.rowValues, used);
  }

  @Override
  public boolean isOpenEnded() {
    return true;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void squaredDistances(FeatureVector x, double[] out) {
    Arrays.fill(out, 0, size(), 0);
    double[] values = x.values();
    for (int k = 0; k < x.count(); k++) {
      Posting posting = table[slotOf(x.isSparse() ? x.indices()[k] : k)];
      if (posting != null) {
        addDots(posting, values[k], out);
      }
    }
    OPS.squaredFromDots(x.squaredNorm(), squaredNorms(), out, size());
    refine(x, out);
  }

  @Override
  public double squaredDistance(FeatureVector x, int i) {
    double sum = 0;
    int end = rowEnd[i];
    int r = rowStart[i];
    for (int k = 0; k < x.count(); k++) {
      int feature = x.isSparse() ? x.indices()[k] : k;
      while (r < end && rowIndices[r] < feature) {
        sum += rowValues[r] * rowValues[r];
        r++;
      }
      double own = r < end && rowIndices[r] == feature ? rowValues[r++] : 0;
      double difference = x.values()[k] - own;
      sum += difference * difference;
    }
    for (; r < end; r++) {
      sum += rowValues[r] * rowValues[r];
    }
    return sum;
  }

  @Override
  public boolean isWithin(FeatureVector x, int i, double a) {
    int end = rowEnd[i];
    int r = rowStart[i];
    for (int k = 0; k < x.count(); k++) {
      int feature = x.isSparse() ? x.indices()[k] : k;
      while (r < end && rowIndices[r] < feature) {
        if (!(Math.abs(rowValues[r++]) < a)) {
          return false;
        }
      }
      double own = r < end && rowIndices[r] == feature ? rowValues[r++] : 0;
      if (!(Math.abs(x.values()[k] - own) < a)) {
        return false;
      }
    }
    for (; r < end; r++) {
      if (!(Math.abs(rowValues[r]) < a)) {
        return false;
      }
    }
    return true;
  }

  private static void addDots(Posting posting, double value, double[] out) {
    int[] points = posting.points;
    double[] values = posting.values;
    for (int p = 0; p < posting.count; p++) {
      out[points[p]] += value * values[p];
    }
  }

  /** Where the feature's posting is, or the empty place where it belongs. */
  private int slotOf(int feature) {
    int mask = table.length - 1;
    int h = feature * 0x9E3779B9;
    h = (h ^ (h >>> 15)) & mask;
    for (Posting p = table[h]; p != null && p.feature != feature; p = table[h]) {
      h = (h + 1) & mask;
    }
    return h;
  }

  @Override
  public void store(FeatureVector x, int slot) {
    dimension = Math.max(dimension, x.dimension());
    if (slot == rowStart.length) {
      rowStart = Arrays.copyOf(rowStart, 2 * slot);
      rowEnd = Arrays.copyOf(rowEnd, 2 * slot);
    }
    int start = used;
    int needed = start + nonZeros(x);
    if (needed > rowIndices.length) {
      int grown = room(needed, ENTRIES);
      rowIndices = Arrays.copyOf(rowIndices, grown);
      rowValues = Arrays.copyOf(rowValues, grown);
    }
    int end = start;
    for (int k = 0; k < x.count(); k++) {
      double value = x.values()[k];
      if (value != 0) {
        int feature = x.isSparse() ? x.indices()[k] : k;
        rowIndices[end] = feature;
        rowValues[end++] = value;
        list(feature, slot, value);
      }
    }
    rowStart[slot] = start;
    rowEnd[slot] = end;
    used = end;
    live += end - start;
  }

  private static int nonZeros(FeatureVector x) {
    int count = 0;
    for (int k = 0; k < x.count(); k++) {
      count += x.values()[k] == 0 ? 0 : 1;
    }
    return count;
  }

  @Override
  public void clear(int slot) {
    for (int r = rowStart[slot]; r < rowEnd[slot]; r++) {
      Posting posting = posting(rowIndices[r]);
      posting.remove(slot);
      listBytes += Posting.bytes(posting.count) - Posting.bytes(posting.count + 1);
    }
    live -= rowEnd[slot] - rowStart[slot];
    rowEnd[slot] = rowStart[slot];
    if (used > 2 * live + 64) {
      compact();
    }
  }

  private void list(int feature, int point, double value) {
    Posting posting = posting(feature);
    listBytes -= Posting.bytes(posting.count);
    posting.add(point, value);
    listBytes += Posting.bytes(posting.count);
  }

  /** Moves the rows together and drops the lists of features that no point has any more. */
  private void compact() {
    int[] indices = new int[Math.max(ENTRIES, room(live, ENTRIES))];
    double[] values = new double[indices.length];
    int end = 0;
    for (int i = 0; i < size(); i++) {
      int length = rowEnd[i] - rowStart[i];
      System.arraycopy(rowIndices, rowStart[i], indices, end, length);
      System.arraycopy(rowValues, rowStart[i], values, end, length);
      rowStart[i] = end;
      end += length;
      rowEnd[i] = end;
    }
    rowIndices = indices;
    rowValues = values;
    used = end;
    @Nullable Posting[] old = table;
    table = new Posting[16];
    features = 0;
    listBytes = 0;
    for (Posting p : old) {
      if (p != null && p.count > 0) {
        insert(p);
      }
    }
  }

  private Posting posting(int feature) {
    Posting found = table[slotOf(feature)];
    if (found != null) {
      return found;
    }
    Posting added = new Posting(feature);
    insert(added);
    return added;
  }

  private void insert(Posting added) {
    if (2 * ++features > table.length) {
      @Nullable Posting[] old = table;
      table = new Posting[2 * old.length];
      for (Posting p : old) {
        if (p != null) {
          table[slotOf(p.feature)] = p;
        }
      }
    }
    table[slotOf(added.feature)] = added;
    listBytes += Posting.bytes(added.count);
  }

  @Override
  public double coordinate(int i, int j) {
    int k = Arrays.binarySearch(rowIndices, rowStart[i], rowEnd[i], j);
    return k >= 0 ? rowValues[k] : 0;
  }

  @Override
  public FeatureVector point(int i) {
    return FeatureVector.sparse(
        Arrays.copyOfRange(rowIndices, rowStart[i], rowEnd[i]),
        Arrays.copyOfRange(rowValues, rowStart[i], rowEnd[i]));
  }

  @Override
  public CoreSet copy() {
    return new PostingsCoreSet(this);
  }

  @Override
  public CoreSet empty() {
    return new PostingsCoreSet(dimension);
  }

  @Override
  public long values() {
    return live;
  }

  @Override
  public long storedBytes() {
    return bytes(rowStart.length, used, features) + listBytes;
  }

  /** Bytes of all but the postings; entries count as if arrays were as long as they may get. */
  private static long bytes(int places, int entries, int features) {
    int slots = Math.max(16, Integer.highestOneBit(Math.max(1, 2 * features - 1)) * 2);
    return 8L * places + 12L * Math.max(ENTRIES, room(entries, ENTRIES)) + 8L * slots;
  }

  @Override
  public long storedBytesWith(FeatureVector x) {
    int entries = used;
    int known = features;
    long lists = listBytes;
    for (int k = 0; k < x.count(); k++) {
      if (x.values()[k] != 0) {
        entries++;
        Posting posting = table[slotOf(x.isSparse() ? x.indices()[k] : k)];
        known += posting == null ? 1 : 0;
        lists +=
            posting == null
                ? Posting.bytes(1)
                : Posting.bytes(posting.count + 1) - Posting.bytes(posting.count);
      }
    }
    int places = size() == rowStart.length ? 2 * size() : rowStart.length;
    return bytes(places, entries, known) + lists;
  }
}
