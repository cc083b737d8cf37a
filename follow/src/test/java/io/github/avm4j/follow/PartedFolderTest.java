// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests in a folder whose parts are not there, or make no model. */
class PartedFolderTest {
  private final RecordingStore store = new RecordingStore(3);

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
    FollowedFolder source = new FollowedFolder(folder, store);
    List<String> said = new ArrayList<>();
    for (int present = 0; present < 3; present++) {
      for (int look = 0; look < 3; look++) {
        source.poll();
        said.addAll(store.said());
        assertEquals(present + 1, said.size(), said::toString);
      }
      put(present);
    }
    for (int look = 0; look < 3; look++) {
      source.poll();
      said.addAll(store.said());
      assertEquals(4, said.size(), "whole, and no model");
    }
    assertTrue(said.get(0).contains("3 of 3 parts"), said::toString);
    assertTrue(said.get(3).contains("not a model"), said::toString);
  }
}
