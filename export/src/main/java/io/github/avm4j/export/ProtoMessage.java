// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One protocol buffers message being written: fields in any order, each a varint or a run of bytes.
 * All that ONNX needs of the wire format.
 */
final class ProtoMessage {
  private static final int VARINT = 0;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  ProtoMessage number(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
    return this;
  }

  ProtoMessage text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoMessage message(int field, ProtoMessage value) {
    return bytes(field, value.toBytes());
  }

  ProtoMessage bytes(int field, byte[] value) {
    varint((long) field << 3 | BYTES);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
