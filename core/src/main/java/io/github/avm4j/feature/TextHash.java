// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.nio.charset.StandardCharsets;

/** Hashes of texts; part of the file format, never to change. */
public enum TextHash {
  /** FNV-1a over UTF-16 with a final mix, of files of the first format. */
  FNV,
  /** MurmurHash3, x86, 32 bits, seed 0, over UTF-8: what ONNX Runtime has too. */
  MURMUR3;

  /**
   * {@return the index of the feature that stands for {@code text}}
   *
   * @param text the text
   * @param buckets number of features
   */
  public int bucket(String text, int buckets) {
    return this == FNV
        ? Math.floorMod(fnv(text), buckets)
        : (int) (Integer.toUnsignedLong(murmur3(text)) % buckets);
  }

  private static int fnv(String text) {
    int h = 0x811C9DC5;
    for (int i = 0; i < text.length(); i++) {
      h = (h ^ text.charAt(i)) * 0x01000193;
    }
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    return h ^ (h >>> 13);
  }

  static int murmur3(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int h = 0;
    int whole = bytes.length & ~3;
    for (int i = 0; i < whole; i += 4) {
      h = Integer.rotateLeft(h ^ mixed(word(bytes, i, 4)), 13) * 5 + 0xE6546B64;
    }
    if (whole < bytes.length) {
      h ^= mixed(word(bytes, whole, bytes.length - whole));
    }
    h ^= bytes.length;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    h = (h ^ (h >>> 13)) * 0xC2B2AE35;
    return h ^ (h >>> 16);
  }

  private static int mixed(int word) {
    return Integer.rotateLeft(word * 0xCC9E2D51, 15) * 0x1B873593;
  }

  private static int word(byte[] bytes, int from, int count) {
    int word = 0;
    for (int k = count - 1; k >= 0; k--) {
      word = word << 8 | (bytes[from + k] & 0xFF);
    }
    return word;
  }
}
