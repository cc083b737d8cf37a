// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.model.InvalidModelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Little-endian primitives out of hostile bytes: every read is checked against what is left before
 * anything is allocated. The reading half of docs/format.md.
 */
public final class ByteReader {
  private final ByteBuffer buffer;
  private final String what;

  /** Reads {@code length} bytes from {@code offset}; {@code what} names them in messages. */
  public ByteReader(byte[] bytes, int offset, int length, String what) {
    this.buffer = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
    this.what = what;
  }

  private ByteBuffer need(long bytes) throws InvalidModelException {
    if (bytes < 0 || bytes > buffer.remaining()) {
      throw new InvalidModelException(
          what
              + " is cut short: "
              + bytes
              + " bytes needed at "
              + buffer.position()
              + ", "
              + buffer.remaining()
              + " left");
    }
    return buffer;
  }

  /** Steps over bytes. */
  public void advance(int bytes) throws InvalidModelException {
    need(bytes).position(buffer.position() + bytes);
  }

  /** Checks that {@code bytes} are left for {@code name}, before they are given room. */
  public void need(String name, long bytes) throws InvalidModelException {
    if (bytes > buffer.remaining()) {
      throw new InvalidModelException(
          what + ": " + name + " need " + bytes + " bytes, " + buffer.remaining() + " left");
    }
  }

  /** The next bytes, a copy. */
  public byte[] raw(int length) throws InvalidModelException {
    need(length);
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }

  /** A reader of the same bytes that begins where this one stands. */
  public ByteReader again() {
    int start = buffer.arrayOffset() + buffer.position();
    return new ByteReader(buffer.array(), start, buffer.remaining(), what);
  }

  /** Bytes left. */
  public int remaining() {
    return buffer.remaining();
  }

  /** One byte, 0..255. */
  public int u8() throws InvalidModelException {
    return need(1).get() & 0xFF;
  }

  /** One byte that must be below {@code codes}: a newer library may know more. */
  public int code(String name, int codes) throws InvalidModelException {
    int value = u8();
    if (value >= codes) {
      throw new InvalidModelException(
          what + ": unknown " + name + " code " + value + " (use a newer avm4j)");
    }
    return value;
  }

  /** Two bytes, 0..65535. */
  public int u16() throws InvalidModelException {
    return need(2).getShort() & 0xFFFF;
  }

  /** Four bytes. */
  public int i32() throws InvalidModelException {
    return need(4).getInt();
  }

  /** Eight bytes. */
  public long i64() throws InvalidModelException {
    return need(8).getLong();
  }

  /** Four bytes that count something of at least {@code unit} bytes each, all of them present. */
  public int count(String name, int unit) throws InvalidModelException {
    int value = i32();
    if (value < 0) {
      throw new InvalidModelException(what + ": " + name + " must be >= 0, was " + value);
    }
    need((long) value * unit);
    return value;
  }

  /** A double that must be finite. */
  public double f64(String name) throws InvalidModelException {
    double value = need(8).getDouble();
    if (!Double.isFinite(value)) {
      throw new InvalidModelException(what + ": " + name + " must be finite, was " + value);
    }
    return value;
  }

  /** A double that may be infinite. */
  public double limit(String name) throws InvalidModelException {
    double value = need(8).getDouble();
    if (Double.isNaN(value)) {
      throw new InvalidModelException(what + ": " + name + " must be a number, was NaN");
    }
    return value;
  }

  /** n finite doubles. */
  public double[] f64s(String name, int n) throws InvalidModelException {
    need(8L * n);
    double[] values = new double[n];
    for (int i = 0; i < n; i++) {
      values[i] = f64(name);
    }
    return values;
  }

  /** n ints. */
  public int[] i32s(int n) throws InvalidModelException {
    need(4L * n);
    int[] values = new int[n];
    buffer.asIntBuffer().get(values);
    buffer.position(buffer.position() + 4 * n);
    return values;
  }

  /** UTF-8 with its length in two bytes. */
  public String text() throws InvalidModelException {
    int length = u16();
    need(length);
    int start = buffer.arrayOffset() + buffer.position();
    buffer.position(buffer.position() + length);
    if (length == 0) {
      return "";
    }
    String text = new String(buffer.array(), start, length, StandardCharsets.UTF_8);
    // The mark of a replaced error, unless it was written as such: only then look closer.
    if (text.indexOf('\uFFFD') >= 0) {
      requireUtf8(start, length);
    }
    return text;
  }

  private void requireUtf8(int start, int length) throws InvalidModelException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer.array(), start, length));
    } catch (CharacterCodingException e) {
      throw new InvalidModelException(what + ": text is not UTF-8", e);
    }
  }

  /** Checks that all was read. */
  public void end() throws InvalidModelException {
    if (buffer.hasRemaining()) {
      throw new InvalidModelException(what + " has " + buffer.remaining() + " bytes too many");
    }
  }
}
