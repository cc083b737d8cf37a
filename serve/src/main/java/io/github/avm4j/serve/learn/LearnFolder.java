// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.http.EventLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The folder of what learns: one learner of rows, or any number of detectors. One process at a time
 * has it.
 */
public final class LearnFolder implements AutoCloseable {
  private static final String LOCK = "lock";

  private final Path folder;
  private final boolean sync;
  private final Duration saveEvery;
  private final EventLog log;
  private final Clock clock;
  private final FileChannel lock;
  private final Map<Path, byte[]> files = new TreeMap<>();

  private LearnFolder(Path folder, boolean sync, Duration saveEvery, EventLog log, Clock clock)
      throws IOException {
    this.folder = folder;
    this.sync = sync;
    this.saveEvery = saveEvery;
    this.log = log;
    this.clock = clock;
    lock = lock(folder);
  }

  /**
   * Takes a folder, which is made if it is not there, and reads its files.
   *
   * @param sync whether a row is acknowledged only when the disk has it
   * @param saveEvery least time between two saves
   * @throws IOException if that cannot be done, saying what to do
   */
  public static LearnFolder open(
      Path folder, boolean sync, Duration saveEvery, EventLog log, Clock clock) throws IOException {
    Files.createDirectories(folder);
    LearnFolder made = new LearnFolder(folder, sync, saveEvery, log, clock);
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.avm")) {
      for (Path file : found) {
        made.files.put(file, RowModel.bytes(file));
      }
      return made;
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // said below
    }
    channel.close();
    throw new IOException(
        folder + ": another server learns in this folder; end it, or give this one another folder");
  }

  /** Whether it is a folder of detectors. */
  public boolean hasDetectors() {
    return files.values().stream().anyMatch(RowDetector::isDetector);
  }

  Path path() {
    return folder;
  }

  /** What one process at a time holds. */
  Path lockFile() {
    return folder.resolve(LOCK);
  }

  boolean isSynced() {
    return sync;
  }

  Duration saveEvery() {
    return saveEvery;
  }

  EventLog log() {
    return log;
  }

  Clock clock() {
    return clock;
  }

  /** The bytes of its files. */
  Map<Path, byte[]> files() {
    return files;
  }

  /** Journals of files that are not here: their rows are not learned, and nobody removes them. */
  void tellOthers(List<? extends Pupil> pupils) throws IOException {
    List<Path> own = pupils.stream().map(Pupil::journalPath).toList();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "rows-*.jsonl")) {
      for (Path other : found) {
        if (own.contains(other)) {
          continue;
        }
        if (Files.size(other) == 0) {
          Files.delete(other); // a save that did not come to its end
        } else {
          log.warn("journal_of_another_file", "file", other);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
