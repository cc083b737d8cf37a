// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fuzz targets on random mutations of small files, the same ones in every run. */
class MutatedFilesTest {
  private static final int[] ODD = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 127, 128, 254, 255};
  private static final double[] NUMBERS = {
    0, -0.0, 1, -1, 1e-300, 1e300, -1e300, Double.NaN, Double.POSITIVE_INFINITY, 0.5, 1e150
  };

  private static final int FILES = "long".equals(System.getProperty("laws")) ? 20_000 : 5_000;

  private final Random random = new Random(41);
  private final ReaderFuzz readers = new ReaderFuzz(64 * 1024);

  @Test
  void wrappingIsUndone() {
    for (byte[] file : ReaderFuzz.seeds()) {
      assertArrayEquals(file, ReaderFuzz.wrap(ReaderFuzz.unwrap(file)));
    }
  }

  @Test
  void filesWithRightChecksums() {
    List<byte[]> seeds = ReaderFuzz.seeds().stream().map(ReaderFuzz::unwrap).toList();
    int taken = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] input = seeds.get(random.nextInt(seeds.size())).clone();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        input = mutate(input, seeds);
      }
      byte[] wrapped = ReaderFuzz.wrap(input);
      try {
        taken += readers.check(wrapped) > 0 ? 1 : 0;
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("mutation " + i + ", seed 41", e);
      }
    }
    assertTrue(taken > FILES / 40 && taken < FILES - FILES / 40, taken + " of " + FILES + " taken");
  }

  @Test
  void rawFiles() {
    List<byte[]> seeds = ReaderFuzz.seeds();
    int taken = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] file = mutate(seeds.get(random.nextInt(seeds.size())).clone(), seeds);
      taken += readers.check(file) > 0 ? 1 : 0;
    }
    assertTrue(taken < 500, taken + " of 5,000 taken");
  }

  private byte[] mutate(byte[] bytes, List<byte[]> seeds) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(7)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) ODD[random.nextInt(ODD.length)];
      case 2 -> fill(bytes, at, ODD[random.nextInt(ODD.length)], 4);
      case 3 ->
          fill(bytes, at, Double.doubleToLongBits(NUMBERS[random.nextInt(NUMBERS.length)]), 8);
      case 4 -> bytes = Arrays.copyOf(bytes, 1 + at);
      case 5 -> {
        byte[] other = seeds.get(random.nextInt(seeds.size()));
        int length = Math.min(random.nextInt(64), Math.min(bytes.length, other.length) - 1);
        int from = random.nextInt(other.length - length);
        int to = random.nextInt(bytes.length - length);
        System.arraycopy(other, from, bytes, to, length);
      }
      default -> bytes[Math.min(at, random.nextInt(400))] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static void fill(byte[] bytes, int at, long value, int length) {
    for (int k = 0; k < length && at + k < bytes.length; k++) {
      bytes[at + k] = (byte) (value >>> (8 * k));
    }
  }
}
