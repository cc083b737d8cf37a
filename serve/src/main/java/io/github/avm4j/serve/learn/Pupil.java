// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.model.DurableFile;
import io.github.avm4j.serve.http.EventLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What learns, a learner of rows or a detector, and where it is kept: {@code NAME.avm}, and {@code
 * rows-NAME-DIGEST.jsonl}, the rows learned since the file of that digest was saved.
 *
 * <p>The journal's name is what makes a crash harmless at every moment. A save begins a journal
 * under the digest of the file to come, then replaces the file, then removes the old journal.
 * Whichever file is there afterwards has its own journal beside it: no row is learned twice, and
 * none is lost. For one thread.
 */
abstract class Pupil implements AutoCloseable {
  final LearnFolder folder;
  private final Path file;
  private final boolean isNew;
  private final Journal.Opened opened;
  private Journal journal;
  private long lost;
  private long changes;
  private long saved;
  private long published = -1;

  /**
   * What is kept of a file of these bytes.
   *
   * @throws IOException if its journal cannot be read
   */
  Pupil(LearnFolder folder, Path file, byte[] bytes) throws IOException {
    this.folder = folder;
    this.file = file;
    isNew = bytes.length == 0;
    opened = Journal.open(journal(file, bytes), folder.isSynced());
    journal = opened.journal();
  }

  private static Path journal(Path file, byte[] bytes) {
    return file.resolveSibling("rows-" + name(file) + "-" + digest(bytes) + ".jsonl");
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length == 0 ? "0" : HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String name(Path file) {
    String text = String.valueOf(file.getFileName());
    return text.substring(0, text.length() - ".avm".length());
  }

  /**
   * Learns lines of a journal again. What was refused then is refused again.
   *
   * @return how many of them cannot be read
   */
  abstract int again(List<byte[]> lines);

  /** Rows learned, also before this start. */
  abstract long rows();

  /** Lets callers use what it has become. */
  abstract void show();

  /** All of its state as a file; null if there is nothing to save. */
  abstract byte @Nullable [] toBytes();

  /** Learns what the journal has; the last that a constructor does. */
  final void replay() {
    lost = again(opened.lines());
    if (opened.torn() > 0) {
      lost++;
    }
    EventLog log = folder.log();
    if (lost > 0) {
      log.warn(
          "journal_torn", "file", journal.path(), "lines_lost", lost, "bytes_cut", opened.torn());
    }
    int replayed = opened.lines().size();
    changes = replayed;
    opened.lines().clear();
    if (!isNew || replayed > 0) {
      log.info("learner_read", "file", file, "replayed", replayed, "rows", rows());
    }
  }

  /** Has learned something. */
  final void changed() {
    changes++;
  }

  final boolean isUnsaved() {
    return changes != saved;
  }

  final boolean isUnpublished() {
    return changes != published;
  }

  final void publish() {
    show();
    published = changes;
  }

  /** Its name: that of its file. */
  final String name() {
    return name(file);
  }

  final Path file() {
    return file;
  }

  /** The file of the rows learned since the last save. */
  final Path journalPath() {
    return journal.path();
  }

  /** Bytes of the journal. */
  final long journalBytes() {
    return journal.length();
  }

  /** Lines of the journal that could not be read at the start. */
  final long lost() {
    return lost;
  }

  /**
   * Writes lines to the journal, all or none.
   *
   * @throws IOException if they are not there
   */
  final void append(byte[] lines) throws IOException {
    journal.append(lines);
  }

  /**
   * Saves all state, and begins a new journal.
   *
   * @return whether there was anything to save
   * @throws IOException if the old file and its journal still hold
   */
  final boolean save() throws IOException {
    byte @Nullable [] bytes = toBytes();
    if (bytes == null) {
      return false;
    }
    Path path = journal(file, bytes);
    if (!path.equals(journal.path())) { // else it is what is there
      replace(bytes, path);
    }
    saved = changes;
    return true;
  }

  private void replace(byte[] bytes, Path path) throws IOException {
    Files.deleteIfExists(path);
    Journal fresh = Journal.open(path, folder.isSynced()).journal();
    try {
      DurableFile.write(bytes, file);
    } catch (IOException e) {
      fresh.close();
      Files.deleteIfExists(path);
      throw e;
    }
    Journal old = journal;
    journal = fresh;
    old.close();
    Files.deleteIfExists(old.path());
  }

  @Override
  public final void close() throws IOException {
    journal.close();
  }
}
