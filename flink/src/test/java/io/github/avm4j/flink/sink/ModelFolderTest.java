// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.record.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sink's two halves by themselves: what stays, what goes, what a full disk does. */
class ModelFolderTest {
  private static final String LINE = Lineage.begin(1_700_000_000_000L);
  private static final String LATER = Lineage.begin(1_800_000_000_000L);

  @TempDir Path temporary;

  private final Counter discarded = new SimpleCounter();
  private final Counter lost = new SimpleCounter();

  private FolderWriter writer(Path folder) {
    return new FolderWriter(flink(folder), discarded);
  }

  private ModelFolder.Renamer renamer(Path folder, int keep) {
    return new ModelFolder.Renamer(flink(folder), keep, lost);
  }

  private static org.apache.flink.core.fs.Path flink(Path path) {
    return new org.apache.flink.core.fs.Path(path.toUri());
  }

  private static ModelVersion model(String lineage, long version) {
    return new ModelVersion("m", lineage, version, version, new byte[] {(byte) version});
  }

  static void commit(ModelFolder.Renamer renamer, Collection<PendingModel> models)
      throws IOException {
    List<Committer.CommitRequest<PendingModel>> requests = new ArrayList<>();
    models.forEach(model -> requests.add(new Request(model)));
    renamer.commit(requests);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(temporary)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void publish(String lineage, long from, long to, int keep) throws IOException {
    FolderWriter writer = writer(temporary);
    for (long version = from; version <= to; version++) {
      writer.write(model(lineage, version), null);
      commit(renamer(temporary, keep), writer.prepareCommit());
    }
  }

  @Test
  void onlyTheNewestVersionsStay() throws Exception {
    Files.writeString(temporary.resolve("m-x-000001.avm"), "another model's");
    publish(LINE, 1, 5, 3);
    assertEquals(
        List.of(
            "m-" + LINE + "-000003.avm",
            "m-" + LINE + "-000004.avm",
            "m-" + LINE + "-000005.avm",
            "m-x-000001.avm",
            "m.latest"),
        names());
    publish(LATER, 1, 2, 3);
    assertEquals(
        List.of(
            "m-" + LINE + "-000005.avm",
            "m-" + LATER + "-000001.avm",
            "m-" + LATER + "-000002.avm",
            "m-x-000001.avm",
            "m.latest"),
        names());
    assertEquals("m-" + LATER + "-000002.avm\n", Files.readString(temporary.resolve("m.latest")));
  }

  @Test
  void allVersionsStayWhereThatIsAsked() throws Exception {
    publish(LINE, 1, 5, 0);
    assertEquals(6, names().size());
  }

  @Test
  void hiddenFilesOfFailedAttemptsAreRemoved() throws Exception {
    FolderWriter failed = writer(temporary);
    failed.write(model(LINE, 2), null);
    failed.write(model(LATER, 9), null);
    Path old = Files.write(temporary.resolve(hidden("m-" + LATER + "-000001")), new byte[1]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(90_000)));
    Files.write(temporary.resolve(hidden("other-" + LINE + "-000001")), new byte[1]);
    assertEquals(4, names().size());
    publish(LINE, 1, 3, 3);
    List<String> parts = names().stream().filter(name -> name.endsWith(".part")).toList();
    assertEquals(2, parts.size(), parts.toString());
    assertTrue(parts.get(0).startsWith(".m-" + LATER + "-000009-"), "may be a stopped job's");
    assertTrue(parts.get(1).startsWith(".other-"), "another model's");
  }

  private static String hidden(String version) {
    return "." + version + "-01234567-89ab-cdef-0123-456789abcdef.part";
  }

  @Test
  void aFolderThatCannotBeWrittenHoldsNothingUp() throws Exception {
    Path folder = Files.writeString(temporary.resolve("models"), "a file where a folder should be");
    FolderWriter writer = writer(folder);
    writer.write(model(LINE, 1), null);
    assertTrue(writer.prepareCommit().isEmpty());
    writer.write(model(LINE, 2), null);
    writer.write(model(LINE, 3), null);
    assertEquals(2, discarded.getCount());
    IOException e = assertThrows(IOException.class, () -> writer.flush(true));
    assertTrue(e.getMessage().contains("the last model cannot be written"), e.getMessage());
    Files.delete(folder);
    Collection<PendingModel> pending = writer.prepareCommit();
    commit(renamer(folder, 3), pending);
    assertEquals(1, pending.size());
    assertTrue(Files.exists(folder.resolve("m-" + LINE + "-000003.avm")));
    assertTrue(writer.prepareCommit().isEmpty());
  }

  @Test
  void aFileThatSomebodyDeletedIsCountedAndPassedOver() throws Exception {
    FolderWriter writer = writer(temporary);
    writer.write(model(LINE, 1), null);
    Collection<PendingModel> pending = writer.prepareCommit();
    for (String name : names()) {
      Files.delete(temporary.resolve(name));
    }
    commit(renamer(temporary, 3), pending);
    assertEquals(1, lost.getCount());
  }

  @Test
  void pendingModelsAreReadAsTheyWereWritten() throws Exception {
    PendingModel model = new PendingModel("h", "m", LINE, 42);
    PendingModel.Format format = new PendingModel.Format();
    byte[] bytes = format.serialize(model);
    assertEquals(model, format.deserialize(format.getVersion(), bytes));
    assertThrows(IOException.class, () -> format.deserialize(format.getVersion() + 1, bytes));
  }

  /** A commit that is asked for. */
  private record Request(PendingModel model) implements Committer.CommitRequest<PendingModel> {
    @Override
    public PendingModel getCommittable() {
      return model;
    }

    @Override
    public int getNumberOfRetries() {
      return 0;
    }

    @Override
    public void signalFailedWithKnownReason(Throwable reason) {}

    @Override
    public void signalFailedWithUnknownReason(Throwable reason) {}

    @Override
    public void retryLater() {}

    @Override
    public void updateAndRetryLater(PendingModel other) {}

    @Override
    public void signalAlreadyCommitted() {}
  }
}
