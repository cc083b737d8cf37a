// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SettingText;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.model.InvalidModelException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hostile WAITING sections; what they mean is tested in testkit. */
class WaitingRowsTest {
  private static WaitingRows empty() {
    return new WaitingRows(1 << 20, Duration.ofHours(1), Clock.systemUTC());
  }

  @Test
  void aTimeIsSaidAsSettingsAreWritten() {
    for (String text : List.of("90d", "36h", "1h", "90m", "45s", "1500ms")) {
      WaitingRows rows = new WaitingRows(1 << 20, SettingText.duration(text), Clock.systemUTC());
      Exception none = assertThrows(NoSuchElementException.class, () -> rows.find("x"));
      assertTrue(String.valueOf(none.getMessage()).contains("later than " + text + ";"), text);
    }
  }

  @Test
  void whateverItReadsItRefusesOrCanWriteAgain() {
    WaitingRows some = empty();
    some.add(Map.of("age", 3.5, "city", "Oslo"));
    some.take(some.add(Map.of("age", 4)));
    some.add(Map.of());
    byte[] good = some.toBytes();
    Random random = new Random(3);
    int refused = 0;
    for (int k = 0; k < 5000; k++) {
      byte[] bad = Arrays.copyOf(good, good.length - (k % 3 == 0 ? random.nextInt(40) : 0));
      bad[random.nextInt(bad.length)] ^= (byte) random.nextInt(256);
      WaitingRows read = empty();
      try {
        read.fill(new ByteReader(bad, 0, bad.length, "rows"));
        assertTrue(read.toBytes().length > 0 && read.expire().size() <= 3);
      } catch (InvalidModelException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000 && refused < 5000, refused + " refused");
  }
}
