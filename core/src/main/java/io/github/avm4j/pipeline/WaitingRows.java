// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.feature.Row;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.model.InvalidModelException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows that wait for their labels, each under an id, within a bound of bytes and one of time.
 *
 * <ol>
 *   <li>A row is given out once. Its id is kept until its time has passed, so that a second label
 *       and a label of an unknown id are refused for different reasons.
 *   <li>A row whose time has passed is never labelled. It stays until {@link #expire} hands it out.
 *   <li>Where bytes are short, the oldest rows are dropped, and counted.
 * </ol>
 *
 * <p>Rows are held encoded: that makes their bytes known, and a caller's map may change. What is
 * restored gives the same features, bit for bit. Any thread; no call waits for more than a copy of
 * references.
 */
public final class WaitingRows {
  /** Bytes that an entry takes beside its id and its row, about. */
  private static final int OVERHEAD = 160;

  private static final int LONGEST = 1000;
  private static final int NUMBER = 0;
  private static final int TEXT = 1;

  private final long mostBytes;
  private final Duration within;
  private final Clock clock;
  private final Supplier<String> ids;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private long bytes;
  private long waiting;
  private long joined;
  private long unlabelled;
  private long dropped;
  private long lateLabels;

  /** Immutable: what is being saved is not what a label changes. No row: it has been given out. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(String id, long time, byte @Nullable [] row) {
    long size() {
      return OVERHEAD + 2L * id.length() + (row == null ? 0 : row.length);
    }
  }

  /**
   * A row and its id.
   *
   * @param id the id
   * @param row values by column name: numbers and texts
   */
  public record Waited(String id, Map<String, Object> row) {}

  /**
   * No row yet; ids are random.
   *
   * @param mostBytes most bytes of all rows together, such as 64 MiB
   * @param within how long a row waits for its label
   * @param clock the time
   */
  public WaitingRows(long mostBytes, Duration within, Clock clock) {
    this(mostBytes, within, clock, () -> UUID.randomUUID().toString());
  }

  /**
   * No row yet, with ids of the caller's.
   *
   * @param mostBytes most bytes of all rows together
   * @param within how long a row waits for its label
   * @param clock the time
   * @param ids the next id, one that was never given before
   */
  public WaitingRows(long mostBytes, Duration within, Clock clock, Supplier<String> ids) {
    if (mostBytes < 1) {
      throw new IllegalArgumentException("mostBytes must be >= 1, was " + mostBytes);
    }
    if (within.isNegative() || within.isZero()) {
      throw new IllegalArgumentException("within must be > 0, was " + within);
    }
    this.mostBytes = mostBytes;
    this.within = within;
    this.clock = clock;
    this.ids = ids;
  }

  /**
   * Takes a row.
   *
   * @param row values by column name: numbers, texts, Booleans, dates, or null
   * @return its id
   * @throws IllegalArgumentException if a value is none of these, or the row alone takes more bytes
   *     than all rows may
   */
  public String add(Map<String, ? extends @Nullable Object> row) {
    byte[] encoded = encode(row);
    Entry entry = new Entry(ids.get(), clock.millis(), encoded);
    if (entry.id.isEmpty() || entry.id.length() > LONGEST) {
      throw new IllegalArgumentException("an id must have 1 to " + LONGEST + " characters");
    }
    if (entry.size() > mostBytes) {
      throw new IllegalArgumentException(
          "the row takes %d bytes, and all waiting rows may take %d: allow more, or send less"
              .formatted(entry.size(), mostBytes));
    }
    synchronized (this) {
      if (entries.putIfAbsent(entry.id, entry) != null) {
        throw new IllegalArgumentException("the id '" + entry.id + "' is in use; give another");
      }
      count(entry, 1);
      Iterator<Entry> oldest = entries.values().iterator();
      while (bytes > mostBytes) {
        Entry gone = oldest.next();
        oldest.remove();
        count(gone, -1);
        dropped += gone.row == null ? 0 : 1;
      }
    }
    return entry.id;
  }

  private void count(Entry entry, int sign) {
    bytes += sign * entry.size();
    waiting += entry.row == null ? 0 : sign;
  }

  /**
   * {@return the row of an id, which goes on waiting}
   *
   * @param id what {@link #add} gave
   * @throws NoSuchElementException if no row of this id waits (any more); counted as a late label
   * @throws IllegalStateException if the row has been labelled before; counted likewise
   */
  public synchronized Map<String, Object> find(String id) {
    return decode(open(id));
  }

  /**
   * Gives out the row of an id, which has its label now.
   *
   * @param id what {@link #add} gave
   * @return the row
   * @throws NoSuchElementException if no row of this id waits (any more); counted as a late label
   * @throws IllegalStateException if the row has been labelled before; counted likewise
   */
  public synchronized Map<String, Object> take(String id) {
    Map<String, Object> row = decode(open(id));
    settle(id);
    return row;
  }

  private byte[] open(String id) {
    Entry entry = entries.get(id);
    if (entry == null || isPast(entry, clock.millis())) {
      lateLabels++;
      throw new NoSuchElementException(
          "no row waits under the id '%s': the id is unknown here, the row was dropped to save"
                  .formatted(id.length() > 60 ? id.substring(0, 60) + "…" : id)
              + " memory, or its label came later than "
              + words(within)
              + "; if the row was not learned, learn it together with its label");
    }
    byte[] row = entry.row;
    if (row == null) {
      lateLabels++;
      throw new IllegalStateException(
          "the row '"
              + id
              + "' has its label already; a row is learned once, so this label is not used");
    }
    return row;
  }

  /** As settings write it: {@code 1h}. */
  private static String words(Duration within) {
    long millis = within.toMillis();
    long[] units = {86_400_000, 3_600_000, 60_000, 1000};
    for (int k = 0; k < units.length; k++) {
      if (millis >= units[k] && millis % units[k] == 0) {
        return millis / units[k] + "dhms".substring(k, k + 1);
      }
    }
    return millis + "ms";
  }

  /**
   * Marks the row of an id as labelled: a second label will be refused. Callers that log labels
   * before they are learned call this after {@link #find}, and once for each label that they replay
   * after a crash, whether its row is still here or not.
   *
   * @param id the id
   */
  public synchronized void settle(String id) {
    Entry open = entries.get(id);
    Entry settled = new Entry(id, open == null ? clock.millis() : open.time, null);
    if (open != null) {
      count(open, -1);
      joined += open.row == null ? 0 : 1;
    }
    count(settled, 1);
    entries.put(id, settled); // at the place of the one before
  }

  private boolean isPast(Entry entry, long now) {
    return entry.time + within.toMillis() <= now;
  }

  /** {@return the rows whose time has passed, oldest first; they are forgotten, and counted} */
  public synchronized List<Waited> expire() {
    long now = clock.millis();
    List<Waited> expired = new ArrayList<>();
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (!isPast(entry, now)) {
        break;
      }
      oldest.remove();
      count(entry, -1);
      if (entry.row != null) {
        unlabelled++;
        expired.add(new Waited(entry.id, decode(entry.row)));
      }
    }
    return expired;
  }

  /** {@return the number of rows that wait} */
  public synchronized long waiting() {
    return waiting;
  }

  /** {@return bytes of all that is held, about} */
  public synchronized long bytes() {
    return bytes;
  }

  /** {@return rows whose label came in time} */
  public synchronized long joined() {
    return joined;
  }

  /** {@return rows whose label did not come in time} */
  public synchronized long unlabelled() {
    return unlabelled;
  }

  /** {@return rows that were dropped before their time, because bytes were short} */
  public synchronized long dropped() {
    return dropped;
  }

  /** {@return labels that were refused: too late, a second time, or of no row} */
  public synchronized long lateLabels() {
    return lateLabels;
  }

  /** All entries and counts of one moment, for a file. */
  byte[] toBytes() {
    ByteWriter out = new ByteWriter();
    List<Entry> all;
    synchronized (this) {
      for (long count : new long[] {joined, unlabelled, dropped, lateLabels}) {
        out.i64(count);
      }
      all = new ArrayList<>(entries.values());
    }
    out.i32(all.size());
    for (Entry entry : all) {
      out.text(entry.id);
      out.i64(entry.time);
      out.u8(entry.row == null ? 0 : 1);
      if (entry.row != null) {
        out.i32(entry.row.length);
        out.raw(entry.row);
      }
    }
    return out.toBytes();
  }

  /** Takes in what {@link #toBytes} wrote; the bounds are those of this. */
  void fill(ByteReader in) throws InvalidModelException {
    long[] counts = new long[4];
    for (int k = 0; k < counts.length; k++) {
      counts[k] = in.i64();
    }
    int count = in.count("rows that wait", 11);
    List<Entry> all = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      String id = in.text();
      long time = in.i64();
      byte[] row = in.code("row", 2) == 0 ? null : in.raw(in.count("bytes of a row", 1));
      if (row != null) {
        check(row);
      }
      all.add(new Entry(id, time, row));
    }
    in.end();
    synchronized (this) {
      if (!entries.isEmpty()) {
        throw new IllegalStateException("rows wait here already; read into an empty one");
      }
      for (Entry entry : all) {
        if (entries.putIfAbsent(entry.id, entry) != null) {
          throw new InvalidModelException("two rows wait under one id");
        }
        count(entry, 1);
      }
      joined = counts[0];
      unlabelled = counts[1];
      dropped = counts[2];
      lateLabels = counts[3];
    }
  }

  private static byte[] encode(Map<String, ? extends @Nullable Object> row) {
    ByteWriter out = new ByteWriter();
    Row cell = new Row();
    for (Map.Entry<String, ? extends @Nullable Object> one : row.entrySet()) {
      Object value = one.getValue();
      cell.reset(1);
      try {
        cell.set(0, value);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("column " + one.getKey() + ": " + e.getMessage(), e);
      }
      if (cell.kind(0) == Row.Kind.MISSING) {
        continue;
      }
      out.text(one.getKey());
      if (cell.kind(0) == Row.Kind.NUMBER && value instanceof Number) {
        out.u8(NUMBER);
        out.f64(cell.number(0));
      } else {
        // As it was written: a column may be read so.
        byte[] text =
            String.valueOf(value instanceof String ? value : cell.text(0))
                .getBytes(StandardCharsets.UTF_8);
        out.u8(TEXT);
        out.i32(text.length);
        out.raw(text);
      }
    }
    return out.toBytes();
  }

  private static Map<String, Object> decode(byte[] row) {
    try {
      return check(row);
    } catch (InvalidModelException e) {
      throw new IllegalStateException(e); // it was encoded here, or checked when it was read
    }
  }

  private static Map<String, Object> check(byte[] row) throws InvalidModelException {
    ByteReader in = new ByteReader(row, 0, row.length, "a row that waits");
    Map<String, Object> cells = new LinkedHashMap<>();
    while (in.remaining() > 0) {
      String name = in.text();
      cells.put(
          name,
          in.code("cell", 2) == NUMBER
              ? (Object) in.f64("cell")
              : new String(in.raw(in.count("bytes of a cell", 1)), StandardCharsets.UTF_8));
    }
    return cells;
  }
}
