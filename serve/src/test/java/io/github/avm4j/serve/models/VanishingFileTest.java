// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.operate.EventLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that publishes removes old versions, also while a server looks at the folder. */
class VanishingFileTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream lines =
      new ByteArrayOutputStream() {
        /** What is logged first is that model a was loaded; b has been listed by then. */
        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
          super.write(bytes, from, count);
          try {
            Files.deleteIfExists(folder.resolve("b.avm"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  @Test
  void isNotRefused() throws Exception {
    EventLog log =
        new EventLog(new PrintStream(lines, true, StandardCharsets.UTF_8), Clock.systemUTC());
    ModelRepository repository = new ModelRepository(3, log, Clock.systemUTC());
    RunningServer.put(folder, "a.avm", TestModels.numbered(2, 10, 1));
    RunningServer.put(folder, "b.avm", TestModels.numbered(2, 10, 2));
    ModelFolder source = new ModelFolder(folder, 1 << 20, repository, log);
    source.look();
    assertFalse(Files.exists(folder.resolve("b.avm")), "b was there all the time");
    assertEquals(1, repository.loads());
    assertEquals(0, repository.refusals(), () -> lines.toString(StandardCharsets.UTF_8));
    RunningServer.put(folder, "c.avm", TestModels.numbered(2, 10, 2));
    source.look();
    assertEquals(2, repository.loads(), "the next is taken");
  }
}
