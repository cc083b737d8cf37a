// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models in parts in a folder: which parts stay, and what a full disk does to them. */
class FolderPartsTest {
  private static final String LINE = Lineage.begin(1_700_000_000_000L);

  @TempDir Path temporary;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private FolderWriter writer(Path folder) {
    return new FolderWriter(new org.apache.flink.core.fs.Path(folder.toUri()), new SimpleCounter());
  }

  private ModelFolder.Renamer renamer(Path folder, int keep) {
    return new ModelFolder.Renamer(
        new org.apache.flink.core.fs.Path(folder.toUri()), keep, new SimpleCounter());
  }

  private static ModelVersion version(String name, long version, byte[] file) {
    return new ModelVersion(name, LINE, version, version, file);
  }

  private static String path(String content) {
    return CellManifest.path("1f", CellManifest.digest(bytes(content)));
  }

  /** Cell 0 changes in each version, cell 1 in none. */
  private static void write(FolderWriter writer, long v) {
    if (v == 1) {
      writer.write(version("m/1f/plan-0", v, bytes("plan")), null);
      writer.write(version("m/1f/1", v, bytes("stays")), null);
      writer.write(version("m/1f/2", v, new byte[0]), null);
    }
    writer.write(version("m/1f/0", v, bytes("changes " + v)), null);
    long[] cells = {
      CellManifest.digest(bytes("changes " + v)),
      CellManifest.digest(bytes("stays")),
      CellManifest.NONE
    };
    long[] plan = {CellManifest.digest(bytes("plan"))};
    CellManifest manifest = new CellManifest("1f", Provenance.here(v), plan, cells);
    writer.write(version("m", v, manifest.toBytes()), null);
  }

  private static Set<String> parts(Path folder) throws IOException {
    Set<String> all = new TreeSet<>();
    try (var files = Files.list(folder.resolve("cells-1f"))) {
      files.forEach(file -> all.add("cells-1f/" + file.getFileName()));
    }
    return all;
  }

  @Test
  void partsStayAsLongAsAVersionListsThem() throws Exception {
    Path ofPlan = Files.createDirectory(temporary.resolve("cells-1f"));
    Path forgotten =
        Files.write(ofPlan.resolve("00ff00ff00ff00ff.part"), bytes("of a failed attempt"));
    Files.setLastModifiedTime(forgotten, FileTime.from(Instant.now().minusSeconds(90_000)));
    FolderWriter writer = writer(temporary);
    ModelFolder.Renamer renamer = renamer(temporary, 2);
    for (long v = 1; v <= 4; v++) {
      write(writer, v);
      ModelFolderTest.commit(renamer, writer.prepareCommit());
    }
    Set<String> expected =
        Set.of(path("plan"), path("stays"), path("changes 3"), path("changes 4"));
    assertEquals(new TreeSet<>(expected), parts(temporary));
    assertEquals("stays", Files.readString(temporary.resolve(path("stays"))));
    assertTrue(Files.exists(temporary.resolve("m-" + LINE + "-000004.avm")));
  }

  private static Path old(Path file) throws IOException {
    return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(90_000)));
  }

  @Test
  void whatTheSinkHasNotWrittenStays() throws Exception {
    String part = "00ff00ff00ff00ff.part";
    Path ofPlan = Files.createDirectory(temporary.resolve("cells-1f"));
    Path other = Files.createDirectory(temporary.resolve("cells-of-mice"));
    List<Path> others =
        List.of(
            old(Files.write(ofPlan.resolve("notes.txt"), bytes("somebody's"))),
            old(Files.createDirectory(ofPlan.resolve("11ff00ff00ff00ff.part"))),
            old(Files.write(other.resolve(part), bytes("somebody's"))));
    Path written = old(Files.write(ofPlan.resolve(part), bytes("left behind")));
    Path half = old(Files.write(ofPlan.resolve(part + ".1z4k.part"), bytes("left")));
    FolderWriter writer = writer(temporary);
    write(writer, 1);
    ModelFolderTest.commit(renamer(temporary, 2), writer.prepareCommit());
    for (Path one : others) {
      assertTrue(Files.exists(one), one + " is not the sink's");
    }
    assertFalse(Files.exists(written), "a failed attempt's");
    assertFalse(Files.exists(half), "a failed attempt's");
  }

  @Test
  void noPartGoesWhileAManifestCannotBeRead() throws Exception {
    FolderWriter writer = writer(temporary);
    ModelFolder.Renamer renamer = renamer(temporary, 1);
    write(writer, 1);
    ModelFolderTest.commit(renamer, writer.prepareCommit());
    byte[] file = Files.readAllBytes(temporary.resolve("m-" + LINE + "-000001.avm"));
    Path damaged = Files.write(temporary.resolve("x.avm"), Arrays.copyOf(file, file.length - 1));
    write(writer, 2);
    ModelFolderTest.commit(renamer, writer.prepareCommit());
    assertTrue(parts(temporary).contains(path("changes 1")), "the other may list it");
    Files.delete(damaged);
    write(writer, 3);
    ModelFolderTest.commit(renamer, writer.prepareCommit());
    assertEquals(
        new TreeSet<>(Set.of(path("plan"), path("stays"), path("changes 3"))), parts(temporary));
  }

  @Test
  void aPartThatIsThereIsNeitherWrittenAgainNorDeleted() throws Exception {
    FolderWriter writer = writer(temporary);
    ModelVersion part = version("m/1f/0", 1, bytes("content"));
    writer.write(part, null);
    Path file = temporary.resolve(path("content"));
    Object identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    writer.write(part, null);
    assertEquals(identity, Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    Files.delete(file);
    Files.createDirectory(file); // cannot be replaced by a file
    writer.write(part, null);
    assertEquals(1, writer.snapshotState(1).size(), "it waits");
    assertTrue(Files.exists(file), "what was there before a failure is there after it");
  }

  @Test
  void aPartThatPruningMayTakeForForgottenIsWrittenAgain() throws Exception {
    Files.createDirectory(temporary.resolve("cells-1f"));
    Path left = old(Files.write(temporary.resolve(path("stays")), bytes("stays")));
    FolderWriter writer = writer(temporary);
    writer.write(version("m/1f/1", 1, bytes("stays")), null);
    Instant written = Files.getLastModifiedTime(left).toInstant();
    assertTrue(written.isAfter(Instant.now().minusSeconds(3600)), "written at " + written);
  }

  @Test
  void partsThatCannotBeWrittenAreStateAndTheirVersionWaits() throws Exception {
    Path folder = Files.writeString(temporary.resolve("models"), "a file where a folder should be");
    FolderWriter writer = writer(folder);
    write(writer, 1);
    write(writer, 2);
    assertTrue(writer.prepareCommit().isEmpty());
    List<ModelVersion> state = writer.snapshotState(1);
    assertEquals(4, state.size(), "the newest part of each key, and the newest version");
    FolderWriter.Format format = new FolderWriter.Format();
    FolderWriter restored = writer(folder);
    for (ModelVersion one : state) {
      restored.take(format.deserialize(format.getVersion(), format.serialize(one)));
    }
    Files.delete(folder);
    Collection<PendingModel> pending = restored.prepareCommit();
    ModelFolderTest.commit(renamer(folder, 3), pending);
    assertEquals(
        new TreeSet<>(Set.of(path("plan"), path("stays"), path("changes 2"))), parts(folder));
    assertTrue(Files.exists(folder.resolve("m-" + LINE + "-000002.avm")));
    assertTrue(restored.snapshotState(2).isEmpty());
  }
}
