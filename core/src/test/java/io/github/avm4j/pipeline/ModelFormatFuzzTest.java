// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The readers under Jazzer. An ordinary run replays small files of every kind and the inputs kept
 * beside this class; a long run of one target:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl core test-compile surefire:test@fuzz -Dtest=ModelFormatFuzzTest#sections
 * </pre>
 */
class ModelFormatFuzzTest {
  /** Jazzer's hooks allocate too. */
  private static final ReaderFuzz READERS = new ReaderFuzz(4 << 20);

  static Stream<Arguments> files() {
    return ReaderFuzz.seeds().stream().map(file -> Arguments.of((Object) file));
  }

  static Stream<Arguments> unwrapped() {
    List<byte[]> seeds = ReaderFuzz.seeds();
    return seeds.stream().map(file -> Arguments.of((Object) ReaderFuzz.unwrap(file)));
  }

  /** Any bytes at all; few get past the checksums. */
  @MethodSource("files")
  @FuzzTest(maxDuration = "60m", maxExecutions = 1_500_000)
  void raw(byte[] file) {
    READERS.check(file);
  }

  /** Any sections, with right checksums. */
  @MethodSource("unwrapped")
  @FuzzTest(maxDuration = "60m", maxExecutions = 1_500_000)
  void sections(byte[] input) {
    READERS.check(ReaderFuzz.wrap(input));
  }
}
