// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.nio.charset.StandardCharsets;

/** A record as it was read from its source, not parsed yet. Callers must not modify the arrays. */
public final class RawRecord {
  private final String source;
  private final long offset;
  private final byte[] key;
  private final byte[] value;
  private final long time;

  /**
   * A record of {@code source} (topic and partition, or file) at {@code offset}.
   *
   * @param source topic and partition, or file
   * @param offset position in the source
   * @param key empty if there is none
   * @param value bytes of the value
   * @param time milliseconds since 1970
   */
  public RawRecord(String source, long offset, byte[] key, byte[] value, long time) {
    this.source = source;
    this.offset = offset;
    this.key = key;
    this.value = value;
    this.time = time;
  }

  /** {@return the topic and partition, or the file} */
  public String source() {
    return source;
  }

  /** {@return the position in the source} */
  public long offset() {
    return offset;
  }

  /** {@return the key's bytes} */
  public byte[] key() {
    return key;
  }

  /** {@return the key as UTF-8} */
  public String keyText() {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** {@return the value's bytes} */
  public byte[] value() {
    return value;
  }

  /** {@return the record's own time} */
  public long time() {
    return time;
  }
}
