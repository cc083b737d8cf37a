// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.tukaani.xz.XZInputStream;

/** Compression of a file, recognised by its first bytes. */
enum Compression {
  PLAIN(""),
  GZIP("\u001F\u008B\b"),
  BZIP2("BZh"),
  XZ("\u00FD7zXZ\0"),
  ZSTD("(\u00B5/\u00FD");

  /** Memory an .xz file may ask for. */
  private static final int XZ_MEMORY_KIB = 1 << 18;

  private final String magic;

  Compression(String magic) {
    this.magic = magic;
  }

  static Compression of(byte[] head, int length) {
    for (Compression candidate : values()) {
      if (candidate != PLAIN && candidate.matches(head, length)) {
        return candidate;
      }
    }
    return PLAIN;
  }

  private boolean matches(byte[] head, int length) {
    if (length < magic.length()) {
      return false;
    }
    for (int k = 0; k < magic.length(); k++) {
      if ((head[k] & 0xFF) != magic.charAt(k)) {
        return false;
      }
    }
    return true;
  }

  /** The unpacked content; several streams one after another are one. */
  InputStream unpack(InputStream in) throws IOException {
    return switch (this) {
      case PLAIN -> in;
      case GZIP ->
          GzipCompressorInputStream.builder()
              .setInputStream(in)
              .setDecompressConcatenated(true)
              .get();
      case BZIP2 -> new BZip2CompressorInputStream(in, true);
      case XZ -> new XZInputStream(in, XZ_MEMORY_KIB);
      case ZSTD -> new ZstdInputStream(in);
    };
  }
}
