// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.pipeline.CellAssembly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that publishes removes old versions, also while somebody looks at the folder. */
class VanishingFileTest {
  @TempDir Path folder;

  private final RecordingStore store =
      new RecordingStore(3) {
        /** Model a is taken first; b has been listed by then. */
        @Override
        public boolean take(
            Arrival arrival, byte[] file, CellAssembly.@Nullable Assembled<?> made) {
          try {
            Files.deleteIfExists(folder.resolve("b.avm"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return super.take(arrival, file, made);
        }
      };

  @Test
  void isNotRefused() throws Exception {
    RecordingStore.put(folder, "a.avm", 1);
    RecordingStore.put(folder, "b.avm", 2);
    FollowedFolder source = new FollowedFolder(folder, store);
    source.poll();
    assertEquals(List.of("took a 1"), store.said());
    RecordingStore.put(folder, "c.avm", 2);
    source.poll();
    assertEquals(List.of("took c 1"), store.said());
  }
}
