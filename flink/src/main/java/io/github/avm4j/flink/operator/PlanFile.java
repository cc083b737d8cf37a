// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The content of a plan's file, read and written; see {@link CellStart}. Callers must not modify
 * the arrays.
 *
 * <p>The bytes {@code AVMPLAN1}; the lengths and bytes of the plan's file and of a blank learner's
 * (docs/format.md); the number of rows, and each as {@link Formats} writes it; the number of
 * sources, and each with the position after the last row; a CRC32C of all that. A plan whose rows
 * were joined with labels begins with {@code AVMPLAN2} and has before the CRC32C: the number of
 * sources, and of each the name, the number of records that were joined, and their positions,
 * ascending.
 */
final class PlanFile {
  private static final long FIRST = 0x41564D504C414E31L;

  /** Added to the first eight bytes of a plan of joined rows. */
  private static final int JOINED = 1;

  private static final int MOST_ROWS = 1 << 24;

  final byte[] plan;
  final byte[] blank;
  final List<Example> rows;
  final Map<String, Long> ends;

  /** Positions of the records that were joined, by source, ascending; empty if none were. */
  final Map<String, long[]> joined;

  PlanFile(
      byte[] plan,
      byte[] blank,
      List<Example> rows,
      Map<String, Long> ends,
      Map<String, long[]> joined) {
    if (rows.size() > MOST_ROWS) {
      throw new IllegalArgumentException(
          "a plan has at most %d rows, this would have %d".formatted(MOST_ROWS, rows.size()));
    }
    this.plan = plan;
    this.blank = blank;
    this.rows = rows;
    this.ends = ends;
    this.joined = joined;
  }

  byte[] toBytes() {
    DataOutputSerializer out = new DataOutputSerializer(1 << 16);
    try {
      out.writeLong(FIRST + (joined.isEmpty() ? 0 : JOINED));
      out.writeInt(plan.length);
      out.write(plan);
      out.writeInt(blank.length);
      out.write(blank);
      out.writeInt(rows.size());
      for (Example row : rows) {
        Formats.EXAMPLE.serialize(bare(row), out);
      }
      out.writeInt(ends.size());
      for (Map.Entry<String, Long> end : new TreeMap<>(ends).entrySet()) {
        out.writeUTF(end.getKey());
        out.writeLong(end.getValue());
      }
      if (!joined.isEmpty()) {
        write(joined, out);
      }
      out.writeLong(crc(out.getSharedBuffer(), out.length()));
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return out.getCopyOfBuffer();
  }

  private static void write(Map<String, long[]> joined, DataOutputSerializer out)
      throws IOException {
    out.writeInt(joined.size());
    for (Map.Entry<String, long[]> one : new TreeMap<>(joined).entrySet()) {
      out.writeUTF(one.getKey());
      out.writeInt(one.getValue().length);
      for (long position : one.getValue()) {
        out.writeLong(position);
      }
    }
  }

  /** Only what is learned from. */
  private static Example bare(Example row) {
    return new Example("", "", row.x(), row.y(), row.weight(), row.time());
  }

  static PlanFile read(byte[] file) throws IOException {
    try {
      int body = file.length - Long.BYTES;
      DataInputDeserializer in = new DataInputDeserializer(file);
      long kind = body < Long.BYTES ? -1 : in.readLong() - FIRST;
      if (kind < 0
          || kind > JOINED
          || new DataInputDeserializer(file, body, Long.BYTES).readLong() != crc(file, body)) {
        throw new IOException("this is no plan of cells, or it is damaged");
      }
      return read(in, file.length, kind == JOINED);
    } catch (IllegalArgumentException e) {
      throw new IOException("this is no plan of cells: " + e.getMessage(), e);
    }
  }

  private static PlanFile read(DataInputDeserializer in, int length, boolean isJoined)
      throws IOException {
    byte[] plan = new byte[count(in, length)];
    in.readFully(plan);
    byte[] blank = new byte[count(in, length)];
    in.readFully(blank);
    int size = count(in, Math.min(MOST_ROWS, length));
    List<Example> rows = new ArrayList<>();
    for (int k = 0; k < size; k++) {
      rows.add(Formats.EXAMPLE.deserialize(in));
    }
    Map<String, Long> ends = new TreeMap<>();
    for (int left = count(in, MOST_ROWS); left > 0; left--) {
      ends.put(in.readUTF(), in.readLong());
    }
    Map<String, long[]> joined = isJoined ? joined(in, length) : Map.of();
    return new PlanFile(plan, blank, rows, ends, joined);
  }

  private static Map<String, long[]> joined(DataInputDeserializer in, int length)
      throws IOException {
    Map<String, long[]> joined = new TreeMap<>();
    for (int left = count(in, MOST_ROWS); left > 0; left--) {
      String source = in.readUTF();
      long[] positions = new long[count(in, length / Long.BYTES)];
      for (int k = 0; k < positions.length; k++) {
        positions[k] = in.readLong();
        if (k > 0 && positions[k] <= positions[k - 1]) {
          throw new IOException("positions of joined records must ascend in " + source);
        }
      }
      joined.put(source, positions);
    }
    return joined;
  }

  private static int count(DataInputDeserializer in, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) {
      throw new IOException("a count in the plan must be in 0.." + most + ", was " + count);
    }
    return count;
  }

  /** The CRC32C of the first bytes. */
  static long crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }
}
