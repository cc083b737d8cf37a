// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is on the disk when: a failure at any point must leave the old file or the new one. */
class DurableFileTest {
  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String said(Path path) throws IOException {
    return Files.exists(path) ? Files.readString(path) : "nothing";
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).toList();
    }
  }

  @Test
  void fileIsForcedBeforeItsNameAndFolderAfter() throws IOException {
    Path target = folder.resolve("m.avm");
    List<String> forced = new ArrayList<>();
    DurableFile.Sync sync =
        (path, isFolder) ->
            forced.add(
                isFolder
                    ? (path.equals(folder) ? "folder" : path) + " with " + said(target)
                    : "part of " + said(path) + " beside " + said(target));
    DurableFile.write(bytes("old"), target, sync);
    DurableFile.write(bytes("new"), target, sync);
    assertEquals(
        List.of(
            "part of old beside nothing",
            "folder with old",
            "part of new beside old",
            "folder with new"),
        forced);
    assertEquals(List.of("m.avm"), names());
  }

  @Test
  void oldFileStaysIfTheDiskFails() throws IOException {
    Path target = folder.resolve("m.avm");
    DurableFile.write(bytes("old"), target);
    DurableFile.Sync full =
        (path, isFolder) -> {
          throw new IOException("no space left");
        };
    assertThrows(IOException.class, () -> DurableFile.write(bytes("new"), target, full));
    assertEquals("old", said(target));
    assertEquals(List.of("m.avm"), names());
  }

  @Test
  void renamesAreForcedToo() throws IOException {
    Path part = Files.write(folder.resolve(".part"), bytes("new"));
    Path target = Files.write(folder.resolve("m.avm"), bytes("old"));
    List<String> forced = new ArrayList<>();
    DurableFile.rename(part, target, (path, isFolder) -> forced.add(said(target) + isFolder));
    assertEquals(List.of("oldfalse", "newtrue"), forced);
    assertArrayEquals(bytes("new"), Files.readAllBytes(target));
  }

  @Test
  void diskForcesFilesAndFolders() throws IOException {
    Path target = folder.resolve("m.avm");
    DurableFile.write(bytes("one"), target);
    DurableFile.rename(target, folder.resolve("n.avm"));
    assertEquals("one", said(folder.resolve("n.avm")));
    DurableFile.write(bytes("two"), Path.of("target", "durable.avm"));
    assertEquals("two", said(Path.of("target", "durable.avm")));
    Files.delete(Path.of("target", "durable.avm"));
  }
}
