// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are versions, and in which order they are taken. */
class FollowedFolderTest {
  private static final String FIRST = "0198a1b2-c3d4-7e5f-8a6b-0123456789ab";
  private static final String SECOND = "0198ffff-c3d4-7e5f-8a6b-0123456789ab";

  @TempDir Path folder;

  private final RecordingStore store = new RecordingStore(2);

  private List<String> poll(FollowedFolder source) throws Exception {
    source.poll();
    return store.said();
  }

  private void put(String file, int seed) throws IOException {
    RecordingStore.put(folder, file, seed);
  }

  @Test
  void takesTheNewestFirstAndThoseThatComeLater() throws Exception {
    for (int v = 1; v <= 4; v++) {
      put("m-" + v + ".avm", v);
    }
    put("n-1-7.avm", 1);
    Files.write(folder.resolve("m-5.avm"), new byte[] {1, 2, 3});
    FollowedFolder source = new FollowedFolder(folder, store);
    assertEquals(
        List.of("refused m: not a model", "took m 4", "took m 3", "took n-1 7"), poll(source));
    assertEquals(List.of(), poll(source));
    put("m-5.avm", 5);
    assertEquals(List.of("took m 5"), poll(source));
    put("m-2.avm", 9);
    assertEquals(List.of("discarded m 2: it is older than the 2 that are kept"), poll(source));
    Files.delete(folder.resolve("m-5.avm"));
    assertEquals(List.of(), poll(source), "what is gone changes nothing");
  }

  @Test
  void theLineageIsThatOfThePointerElseTheYoungest() throws Exception {
    put("m-" + FIRST + "-000500.avm", 1);
    put("m-" + SECOND + "-000001.avm", 2);
    assertEquals(List.of("took m 1"), poll(new FollowedFolder(folder, store)));
    Path pointer = Files.writeString(folder.resolve("m.latest"), "m-" + FIRST + "-000500.avm\n");
    FollowedFolder source = new FollowedFolder(folder, store);
    assertEquals(List.of("took m 500"), poll(source));
    Files.writeString(pointer, "m-" + SECOND + "-000001.avm\n");
    assertEquals(List.of("took m 1"), poll(source), "the pointer came after the file");
    Files.writeString(pointer, "../../etc/passwd");
    assertEquals(List.of(), poll(source));
    Files.delete(pointer);
    Files.createDirectory(pointer);
    List<String> said = poll(source);
    assertTrue(said.get(0).startsWith("refused m: cannot be read: "), said::toString);
    assertEquals(List.of(), poll(source), "said once");
  }

  @Test
  void aFileIsANewVersionEachTimeItChanges() throws Exception {
    Path file = RecordingStore.put(folder, "any name", 1);
    put("ignored.avm", 2);
    FollowedFolder source = new FollowedFolder(file, store);
    assertEquals(List.of("took any name 1"), poll(source));
    put("any name", 2);
    assertEquals(List.of("took any name 2"), poll(source));
    Files.delete(file);
    assertThrows(NoSuchFileException.class, source::poll);
    put("any name", 3);
    assertEquals(List.of("took any name 3"), poll(source));
  }

  @Test
  void filesThatCannotBeReadStopNoOther() throws Exception {
    Files.createSymbolicLink(folder.resolve("loop-1.avm"), folder.resolve("loop-1.avm"));
    Files.createDirectory(folder.resolve("folder-1.avm"));
    try (RandomAccessFile large =
        new RandomAccessFile(folder.resolve("large-1.avm").toFile(), "rw")) {
      large.setLength(Arrival.MOST_BYTES + 1); // a hole: it takes no space
    }
    put("m-1.avm", 1);
    FollowedFolder source = new FollowedFolder(folder, store);
    String said = String.join("\n", poll(source));
    assertTrue(said.contains("refused loop: cannot be read"), said);
    assertTrue(said.contains("refused large: 268435457 bytes; at most"), said);
    assertTrue(said.endsWith("took m 1"), said);
    assertEquals(List.of(), poll(source), "said once");
  }

  @Test
  void aFolderThatIsGoneCannotBeRead() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    FollowedFolder source = new FollowedFolder(inner, store);
    Files.delete(inner);
    assertThrows(IOException.class, source::poll);
    assertThrows(NoSuchFileException.class, () -> new FollowedFolder(inner, store));
  }

  @Test
  void theOnlyNameOfAFolder() throws Exception {
    assertTrue(
        String.valueOf(
                assertThrows(IOException.class, () -> FollowedFolder.onlyName(folder)).getMessage())
            .contains("holds no model yet"));
    put("m-1.avm", 1);
    put("m-" + FIRST + "-000500.avm", 1);
    assertEquals("m", FollowedFolder.onlyName(folder));
    put("n.avm", 1);
    assertTrue(
        String.valueOf(
                assertThrows(IOException.class, () -> FollowedFolder.onlyName(folder)).getMessage())
            .contains("holds several models, as m and n"));
  }
}
