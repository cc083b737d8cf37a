// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The newest good version of one name predicts, and bad ones change nothing. */
class NewestModelTest {
  @TempDir Path folder;

  private final List<String> said = new ArrayList<>();

  private final NewestModel newest =
      new NewestModel(
          "m",
          NewestModelTest::check,
          new NewestModel.Listener() {
            @Override
            public void used(NewestModel.Loaded now, NewestModel.@Nullable Loaded before) {
              String replaced = before == null ? "" : " for " + before.arrival().version();
              said.add("used " + now.arrival().version() + replaced);
            }

            @Override
            public void refused(String reason) {
              said.add(reason);
            }
          });

  private static void check(RowModel rows) {
    if (rows.model().dimension() != 2) {
      throw new IllegalArgumentException("two features, please");
    }
  }

  @Test
  void staysWithTheLastGoodVersion() throws Exception {
    assertThrows(IllegalStateException.class, newest::get);
    RecordingStore.put(folder, "m-1.avm", 1);
    RecordingStore.put(folder, "m-2.avm", 2);
    RecordingStore.put(folder, "other-9.avm", 1);
    FollowedFolder source = new FollowedFolder(folder, newest);
    newest.follow(source, Duration.ofHours(1));
    assertEquals(List.of("used 2"), said);
    NewestModel.Loaded two = newest.get();
    assertEquals(folder.resolve("m-2.avm").toString(), two.arrival().source());
    Files.write(folder.resolve("m-3.avm"), new byte[100]);
    source.poll();
    assertSame(two, newest.get());
    assertTrue(said.get(1).startsWith(folder.resolve("m-3.avm") + ": "), said::toString);
    RecordingStore.put(folder, "m-4.avm", 4);
    source.poll();
    assertEquals("used 4 for 2", said.get(2));
    newest.close();
    assertEquals(4, newest.get().arrival().version());
  }

  @Test
  void beginsWithAUsableModelOnly() throws Exception {
    FollowedFolder source = new FollowedFolder(folder, newest);
    assertEquals("no model to predict with: the source has none", failure(source));
    Path bad = Files.write(folder.resolve("m-1.avm"), new byte[100]);
    String failure = failure(source);
    assertTrue(failure.startsWith("no model to predict with: " + bad + ": "), failure);
  }

  private String failure(ModelSource source) {
    return String.valueOf(
        assertThrows(IOException.class, () -> newest.follow(source, Duration.ofHours(1)))
            .getMessage());
  }
}
