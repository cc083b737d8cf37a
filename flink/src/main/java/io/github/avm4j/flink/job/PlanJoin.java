// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Joins the first rows of a topic with labels of another, by id, for a plan. Reads a row and a
 * label in turn, and waits where there are none. The records that were joined are noted by their
 * positions; all others, bad ones too, are left to the job.
 *
 * <p>Rows wait for their labels until labels of {@code labels.within} later have come. As many as
 * {@link #MOST_ROWS} may wait, or four times as many as are wanted, before the next is read; of
 * labels without rows, the newest {@link #MOST_LABELS} are kept.
 */
final class PlanJoin implements AutoCloseable {
  private static final int MOST_ROWS = 1 << 16;
  private static final int MOST_LABELS = 1 << 20;

  private final long bound;
  private final long disorder;
  private final int wanted;
  private final Side rows;
  private final Side labels;
  private final List<Example> joined = new ArrayList<>();
  private final Map<String, List<Long>> used = new TreeMap<>();
  private long newestLabel = Long.MIN_VALUE;

  PlanJoin(StreamConfig config, InputConfig labelInput, int wanted, PrintStream out)
      throws IOException {
    this.bound = config.labelsWithin().toMillis();
    this.disorder = labelInput.disorder().toMillis();
    this.wanted = wanted;
    this.rows = new Side(config, config.input(), false, out);
    this.labels = new Side(config, labelInput, true, out);
  }

  /** One of the two topics, with the records that were read and wait for the other's. */
  private static final class Side {
    final PlanInput input;
    final RecordFormat format;
    final Map<String, Example> open = new LinkedHashMap<>();

    /** Whether there was no record when last looked. */
    boolean idle;

    boolean ended;

    Side(StreamConfig config, InputConfig input, boolean labelled, PrintStream out)
        throws IOException {
      this.input = new PlanInput(input, config.kafka(), out);
      this.format = input.format(config.start(), labelled);
    }

    /** The next record; null if there is none now, or it is a bad one, which the job reports. */
    @Nullable Example next() throws IOException {
      RawRecord record = null;
      try {
        record = ended ? null : input.poll();
      } catch (EOFException e) {
        ended = true;
      }
      idle = record == null;
      return record == null ? null : format.parse(record).example();
    }

    void keep(Example one) {
      open.remove(one.id());
      open.put(one.id(), one);
    }

    Example oldest() {
      return open.values().iterator().next();
    }
  }

  /**
   * The first rows with labels, in the order in which both were there.
   *
   * @throws EOFException if both topics end before
   */
  List<Example> read() throws IOException {
    while (joined.size() < wanted) {
      if (rows.ended && labels.ended) {
        throw new EOFException(
            "the topics have labels for %d rows, fewer than cells.plan-rows, which is %d"
                .formatted(joined.size(), wanted));
      }
      boolean more = labels.ended || rows.open.size() < Math.max(MOST_ROWS, 4 * wanted);
      if (labels.idle && (rows.idle || !more)) {
        rows.idle = false;
        labels.idle = false;
      }
      if (more && !rows.idle) {
        row(rows.next());
      }
      if (!labels.idle) {
        label(labels.next());
      }
    }
    return joined;
  }

  private void row(@Nullable Example row) {
    if (row == null) {
      return;
    }
    Example label = labels.open.remove(row.id());
    if (label != null && isInTime(row, label)) {
      join(row, label);
    } else if (!labels.ended) {
      rows.keep(row);
    }
  }

  private void label(@Nullable Example label) {
    if (label == null) {
      return;
    }
    Example row = rows.open.remove(label.id());
    if (row != null && isInTime(row, label)) {
      join(row, label);
    } else {
      labels.keep(label);
    }
    newestLabel = Math.max(newestLabel, label.time());
    while (!rows.open.isEmpty() && isPast(rows.oldest())) {
      rows.open.remove(rows.oldest().id());
    }
    if (labels.open.size() > MOST_LABELS) {
      labels.open.remove(labels.oldest().id());
    }
  }

  /** Whether a row's label is not expected any more. */
  private boolean isPast(Example row) {
    return row.time() + bound <= newestLabel - disorder;
  }

  private boolean isInTime(Example row, Example label) {
    return Math.abs(label.time() - row.time()) < bound;
  }

  private void join(Example row, Example label) {
    joined.add(row.withLabel(label.y()));
    use(row);
    use(label);
  }

  private void use(Example one) {
    RawRecord origin = one.origin();
    if (origin != null) {
      used.computeIfAbsent(origin.source(), source -> new ArrayList<>()).add(origin.offset());
    }
  }

  /** Positions of the rows and labels that were joined, by source, ascending. */
  Map<String, long[]> used() {
    Map<String, long[]> positions = new TreeMap<>();
    used.forEach(
        (source, offsets) -> {
          long[] sorted = offsets.stream().mapToLong(offset -> offset).toArray();
          Arrays.sort(sorted);
          positions.put(source, sorted);
        });
    return positions;
  }

  @Override
  public void close() throws IOException {
    try {
      rows.input.close();
    } finally {
      labels.input.close();
    }
  }
}
