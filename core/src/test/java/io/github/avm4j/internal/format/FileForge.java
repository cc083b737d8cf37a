// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Writes files as docs/format.md draws them, with checksums that are right whatever the content:
 * the second implementation of the container, for tests.
 */
public final class FileForge {
  private final ByteArrayOutputStream sections = new ByteArrayOutputStream();
  private int count;

  /** An empty file. */
  public FileForge() {}

  /** Adds a section with a correct checksum. */
  public FileForge section(int type, byte[] payload) {
    ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(type).putInt(payload.length);
    CRC32C crc = new CRC32C();
    crc.update(head.array());
    crc.update(payload);
    sections.writeBytes(head.array());
    sections.writeBytes(payload);
    sections.writeBytes(
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt((int) crc.getValue()).array());
    count++;
    return this;
  }

  /** Adds bytes as they are and counts them as a section. */
  public FileForge raw(byte[] bytes) {
    sections.writeBytes(bytes);
    count++;
    return this;
  }

  /** The file. */
  public byte[] toBytes() {
    return toBytes(1, count);
  }

  /** The file with another version and number of sections in its head. */
  public byte[] toBytes(int version, int declaredCount) {
    ByteBuffer file = ByteBuffer.allocate(12 + sections.size()).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {(byte) 0x89, 'A', 'V', 'M', '\r', '\n', 0x1A, '\n'});
    file.putShort((short) version).putShort((short) declaredCount).put(sections.toByteArray());
    return file.array();
  }

  /** The payloads of a file that is known to be right, by type. */
  public static Map<Integer, byte[]> payloads(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).position(12);
    Map<Integer, byte[]> result = new LinkedHashMap<>();
    while (in.hasRemaining()) {
      int type = in.getInt();
      byte[] payload = new byte[in.getInt()];
      in.get(payload).getInt();
      result.put(type, payload);
    }
    return result;
  }

  /** The file without a section. */
  public static byte[] without(byte[] file, int type) {
    FileForge forge = new FileForge();
    payloads(file)
        .forEach(
            (t, payload) -> {
              if (t != type) {
                forge.section(t, payload);
              }
            });
    return forge.toBytes();
  }

  /** The file with one section's payload exchanged (or added) and all checksums right. */
  public static byte[] with(byte[] file, int type, byte[] payload) {
    Map<Integer, byte[]> payloads = payloads(file);
    payloads.put(type, payload);
    FileForge forge = new FileForge();
    payloads.forEach(forge::section);
    return forge.toBytes();
  }
}
