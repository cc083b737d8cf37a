// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.internal.newton.SavedSize;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Little-endian primitives into a growing array. The writing half of docs/format.md. */
public final class ByteWriter {
  /** Most bytes: what an array can hold. */
  public static final int MOST = SavedSize.MOST_FILE;

  private ByteBuffer buffer;

  /** Nothing written yet. */
  public ByteWriter() {
    this(256);
  }

  /** Nothing written yet; what has just these bytes is written without a copy. */
  ByteWriter(long bytes) {
    buffer = ByteBuffer.allocate(length(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer room(long bytes) {
    if (buffer.remaining() < bytes) {
      int needed = length(buffer.position() + bytes);
      int grown = (int) Math.min(MOST, buffer.capacity() + buffer.capacity() / 2L);
      byte[] larger = Arrays.copyOf(buffer.array(), Math.max(needed, grown));
      ByteBuffer next = ByteBuffer.wrap(larger).order(ByteOrder.LITTLE_ENDIAN);
      next.position(buffer.position());
      buffer = next;
    }
    return buffer;
  }

  private static int length(long bytes) {
    if (bytes > MOST) {
      throw new IllegalStateException(
          "%d bytes and more do not fit into a file, which has at most %d: nothing was written; a"
                  .formatted(bytes, MOST)
              + " smaller budget makes smaller files");
    }
    return (int) bytes;
  }

  /** One byte. */
  public void u8(int value) {
    room(1).put((byte) value);
  }

  /** Two bytes. */
  public void u16(int value) {
    room(2).putShort((short) value);
  }

  /** Four bytes. */
  public void i32(int value) {
    room(4).putInt(value);
  }

  /** Eight bytes. */
  public void i64(long value) {
    room(8).putLong(value);
  }

  /** An IEEE 754 double. */
  public void f64(double value) {
    room(8).putDouble(value);
  }

  /** The first n doubles, without a length. */
  public void f64s(double[] values, int n) {
    room(8L * n).asDoubleBuffer().put(values, 0, n);
    buffer.position(buffer.position() + 8 * n);
  }

  /** The first n ints, without a length. */
  public void i32s(int[] values, int n) {
    room(4L * n).asIntBuffer().put(values, 0, n);
    buffer.position(buffer.position() + 4 * n);
  }

  /** Bytes as they are, without a length. */
  public void raw(byte[] bytes) {
    room(bytes.length).put(bytes);
  }

  /** UTF-8 with its length in two bytes. */
  public void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0xFFFF) {
      throw new IllegalArgumentException("text longer than 65535 bytes: " + bytes.length);
    }
    u16(bytes.length);
    raw(bytes);
  }

  /** What was written so far. Nothing is written afterwards. */
  public byte[] toBytes() {
    return buffer.remaining() == 0
        ? buffer.array()
        : Arrays.copyOf(buffer.array(), buffer.position());
  }
}
