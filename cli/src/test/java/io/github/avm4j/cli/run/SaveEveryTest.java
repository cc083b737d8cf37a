// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SaveEveryTest {
  @Test
  void saveEveryUnderstandsRowsAndTimes() {
    SaveEvery.Converter converter = new SaveEvery.Converter();
    assertTrue(converter.convert("100").isDue(100, 0));
    assertFalse(converter.convert("100").isDue(99, Long.MAX_VALUE));
    assertTrue(converter.convert("30s").isDue(0, 30_000_000_000L));
    assertEquals(new SaveEvery(0, 300_000_000_000L), converter.convert("5m"));
    assertEquals(new SaveEvery(0, 3600_000_000_000L), converter.convert("1h"));
    assertFalse(converter.convert("0").isDue(Long.MAX_VALUE, Long.MAX_VALUE));
  }
}
