// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What people mistype is found, what they cannot have meant is not. */
class NearestNamesTest {
  private static final List<String> NAMES =
      List.of("train", "trace", "predict", "Temperature", "y");

  @Test
  void theNearestAreNamed() {
    assertEquals(List.of("train"), NearestNames.of("tarin", NAMES), "two letters are in turn");
    assertEquals(List.of("predict"), NearestNames.of("PREDCIT", NAMES));
    assertEquals(List.of("trace", "train"), NearestNames.of("tra", NAMES), "a beginning of both");
    assertEquals(List.of("Temperature"), NearestNames.of("temperatur", NAMES));
    assertEquals(List.of("Temperature"), NearestNames.of("temperature", NAMES), "small letters");
    assertEquals(List.of("y"), NearestNames.of("z", NAMES), "one letter may always differ");
  }

  @Test
  void whatIsFarIsNotNamed() {
    assertEquals(List.of(), NearestNames.of("export", NAMES));
    assertEquals(List.of(), NearestNames.of("trxyz", NAMES));
    assertEquals(List.of(), NearestNames.of("train", List.of()));
  }
}
