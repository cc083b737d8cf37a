// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.DurableFile;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.Pending;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a learner: {@code NAME.avm}, saved as {@code avm train} saves, and {@code
 * rows-DIGEST.jsonl}, the rows learned since that file of that digest was saved.
 *
 * <p>The journal's name is what makes a crash harmless at every moment. A save begins a journal
 * under the digest of the file to come, then replaces the file, then removes the old journal.
 * Whichever file is there afterwards has its own journal beside it: no row is learned twice, and
 * none is lost. For one thread.
 */
final class LearnFolder implements AutoCloseable {
  private static final String NAME = "learner";
  private static final String SCHEMA = "schema.json";
  private static final String FORM =
      "{\"task\": \"classification\" or \"regression\", \"columns\": {NAME: \"number\","
          + " \"category\" or \"date\", …}}";

  private final Path folder;
  private final Path file;
  private final boolean sync;
  private final EventLog log;
  private final FileChannel lock;
  private LoopLearner learner = new LoopLearner();
  private Journal journal;
  private long lost;

  private LearnFolder(
      Path folder, Path file, boolean sync, EventLog log, FileChannel lock, Journal journal) {
    this.folder = folder;
    this.file = file;
    this.sync = sync;
    this.log = log;
    this.lock = lock;
    this.journal = journal;
  }

  /**
   * Reads what is there, and learns the rows of the journal again.
   *
   * @param waiting gets the rows that waited when the learner was saved
   * @throws IOException if that cannot be done, saying what to do
   */
  static LearnFolder open(Path folder, boolean sync, WaitingRows waiting, EventLog log)
      throws IOException {
    Files.createDirectories(folder);
    FileChannel lock = lock(folder);
    try {
      Path file = file(folder);
      byte[] bytes = Files.exists(file) ? RowModel.bytes(file) : new byte[0];
      LoopLearner start = start(folder, file, bytes, waiting);
      Path path = journal(folder, bytes);
      Journal.Opened opened = Journal.open(path, sync);
      LearnFolder made = new LearnFolder(folder, file, sync, log, lock, opened.journal());
      made.learner = start;
      made.replay(opened, waiting);
      made.tellOthers();
      return made;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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

  private static Path file(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.avm")) {
      found.forEach(files::add);
    }
    if (files.size() > 1) {
      throw new IOException(
          folder + ": has %d files *.avm; leave the one to go on with".formatted(files.size()));
    }
    return files.isEmpty() ? folder.resolve(NAME + ".avm") : files.get(0);
  }

  private static LoopLearner start(Path folder, Path file, byte[] bytes, WaitingRows waiting)
      throws IOException {
    Path schema = folder.resolve(SCHEMA);
    if (bytes.length == 0) {
      return Files.exists(schema) ? new LoopLearner(declared(schema)) : new LoopLearner();
    }
    try {
      RowLearner read = Pending.read(bytes, waiting, null).learner();
      if (read.schema().isNumbered()) {
        throw new IOException(
            file
                + ": has numbered features; a learner of rows is trained from a file with columns");
      }
      return new LoopLearner(read);
    } catch (InvalidModelException e) {
      throw new IOException(
          file + ": " + e.getMessage() + " (a learner of avm train is needed here)", e);
    }
  }

  private static RowLearner declared(Path path) throws IOException {
    byte[] text = Files.readAllBytes(path);
    try {
      return Json.read(
          text,
          0,
          text.length,
          parser -> {
            Task task = null;
            Schema.Builder columns = Schema.builder();
            Json.expect(parser, JsonToken.START_OBJECT, FORM);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
              String name = parser.currentName();
              parser.nextToken();
              if (name.equals("task")) {
                task =
                    switch (parser.getText()) {
                      case "classification" -> Task.CLASSIFICATION;
                      case "regression" -> Task.REGRESSION;
                      default -> throw Problem.badRequest(FORM + " is expected");
                    };
              } else if (name.equals("columns")) {
                Json.expect(parser, JsonToken.START_OBJECT, FORM);
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                  String column = parser.currentName();
                  parser.nextToken();
                  switch (parser.getText()) {
                    case "number" -> columns.number(column);
                    case "category" -> columns.category(column);
                    case "date" -> columns.date(column);
                    default -> throw Problem.badRequest(FORM + " is expected");
                  }
                }
              } else {
                throw Problem.badRequest(FORM + " is expected");
              }
            }
            if (task == null) {
              throw Problem.badRequest(FORM + " is expected");
            }
            Schema schema = columns.build();
            return task == Task.REGRESSION
                ? RowLearner.regressor(schema).build()
                : RowLearner.classifier(schema).build();
          });
    } catch (Problem | IllegalArgumentException | IllegalStateException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  private static Path journal(Path folder, byte[] bytes) {
    return folder.resolve("rows-" + digest(bytes) + ".jsonl");
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length == 0 ? "0" : HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void replay(Journal.Opened opened, WaitingRows waiting) {
    List<TaughtRow> rows = new ArrayList<>();
    lost = opened.torn() > 0 ? 1 : 0;
    for (byte[] line : opened.lines()) {
      try {
        TaughtRow row = row(JsonRows.line(line));
        rows.add(row);
        if (!row.id().isEmpty()) {
          waiting.settle(row.id());
        }
      } catch (Problem e) {
        lost++;
      }
    }
    if (lost > 0) {
      log.warn(
          "journal_torn", "file", journal.path(), "lines_lost", lost, "bytes_cut", opened.torn());
    }
    learner.again(rows);
    log.info("learner_read", "file", file, "replayed", rows.size(), "rows", learner.rows());
  }

  /** The row of a journal's line, its truth taken out of its cells. */
  private TaughtRow row(Map<String, String> cells) {
    String id = cells.remove(JsonRows.ID);
    boolean number =
        learner.task() == null
            ? !cells.containsKey(Truth.LABEL)
            : learner.task() == Task.REGRESSION;
    String text = cells.remove(learner.target(new Truth("", number)));
    if (text == null) {
      throw Problem.badRequest("a line without a truth");
    }
    Truth truth = new Truth(text, number);
    if (number) {
      Truths.number(text);
    }
    return new TaughtRow(cells, truth, id == null ? "" : id);
  }

  /** Journals of files that are not here: their rows are not learned, and nobody removes them. */
  private void tellOthers() throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "rows-*.jsonl")) {
      for (Path other : found) {
        if (other.equals(journal.path())) {
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

  /** The model's name. */
  String name() {
    String text = String.valueOf(file.getFileName());
    return text.substring(0, text.length() - ".avm".length());
  }

  LoopLearner learner() {
    return learner;
  }

  /** Lines of the journal that could not be read at the start. */
  long lost() {
    return lost;
  }

  /** Bytes of the journal. */
  long journalBytes() {
    return journal.length();
  }

  /**
   * Writes rows to the journal, all or none.
   *
   * @throws IOException if they are not there
   */
  void append(byte[] lines) throws IOException {
    journal.append(lines);
  }

  /**
   * Saves the learner and the rows that wait, and begins a new journal.
   *
   * @return whether there was anything to save
   * @throws IOException if the old file and its journal still hold
   */
  boolean save(WaitingRows waiting) throws IOException {
    byte @Nullable [] bytes = learner.toBytes(waiting);
    if (bytes == null) {
      return false;
    }
    Path path = journal(folder, bytes);
    if (path.equals(journal.path())) {
      return true; // it is what is there
    }
    Files.deleteIfExists(path);
    Journal fresh = Journal.open(path, sync).journal();
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
    return true;
  }

  @Override
  public void close() throws IOException {
    journal.close();
    lock.close();
  }
}
