// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Reads and writes byte arrays and texts: a big-endian length, then the bytes. */
final class Wire {
  /** Most bytes of one text or array. */
  static final int LONGEST = 1 << 30;

  private static final int CHUNK = 1 << 20;

  private Wire() {}

  static void bytes(byte[] bytes, DataOutputView out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads in pieces, so that a damaged length meets the end of the stream before memory's. */
  static byte[] bytes(DataInputView in) throws IOException {
    int length = count(in, LONGEST, "bytes");
    if (length <= CHUNK) {
      byte[] all = new byte[length];
      in.readFully(all);
      return all;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(CHUNK);
    byte[] piece = new byte[CHUNK];
    for (int left = length; left > 0; left -= CHUNK) {
      int n = Math.min(left, CHUNK);
      in.readFully(piece, 0, n);
      all.write(piece, 0, n);
    }
    return all.toByteArray();
  }

  static void text(String text, DataOutputView out) throws IOException {
    bytes(text.getBytes(StandardCharsets.UTF_8), out);
  }

  static String text(DataInputView in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  static void numbers(double[] numbers, DataOutputView out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Double.BYTES, numbers.length));
    bytes.asDoubleBuffer().put(numbers);
    bytes(bytes.array(), out);
  }

  static double[] numbers(DataInputView in) throws IOException {
    byte[] bytes = bytes(in);
    if (bytes.length % Double.BYTES != 0) {
      throw new IOException(bytes.length + " bytes are no whole numbers");
    }
    double[] numbers = new double[bytes.length / Double.BYTES];
    ByteBuffer.wrap(bytes).asDoubleBuffer().get(numbers);
    return numbers;
  }

  static int count(DataInputView in, int most, String what) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) {
      throw new IOException(what + " must be in 0.." + most + ", was " + count);
    }
    return count;
  }
}
