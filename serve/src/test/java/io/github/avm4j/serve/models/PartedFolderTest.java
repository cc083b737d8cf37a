// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.serve.operate.EventLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests in a folder whose parts are not there, or make no model. */
class PartedFolderTest {
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final EventLog log =
      new EventLog(new PrintStream(lines, true, StandardCharsets.UTF_8), Clock.systemUTC());
  private final ModelRepository repository = new ModelRepository(3, log, Clock.systemUTC());

  @TempDir Path folder;

  private static byte[] part(int number) {
    return new byte[] {1, 2, (byte) number};
  }

  private void put(int number) throws IOException {
    String path = CellManifest.path("1f", CellManifest.digest(part(number)));
    Files.write(folder.resolve(path), part(number));
  }

  @Test
  void isRefusedAgainOnlyIfWhatIsMissingChanges() throws Exception {
    long[] plan = {CellManifest.digest(part(0))};
    long[] cells = {CellManifest.digest(part(1)), CellManifest.digest(part(2))};
    CellManifest manifest = new CellManifest("1f", Provenance.here(1), plan, cells);
    Files.write(folder.resolve("m-000001.avm"), manifest.toBytes());
    Files.createDirectory(folder.resolve("cells-1f"));
    ModelFolder source = new ModelFolder(folder, 1 << 20, repository, log);
    for (int present = 0; present < 3; present++) {
      for (int look = 0; look < 3; look++) {
        source.look();
        assertEquals(
            present + 1, repository.refusals(), () -> lines.toString(StandardCharsets.UTF_8));
      }
      put(present);
    }
    for (int look = 0; look < 3; look++) {
      source.look();
      assertEquals(4, repository.refusals(), "whole, and no model");
    }
    String said = lines.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("3 of 3 parts") && said.contains("not a model"), said);
  }
}
