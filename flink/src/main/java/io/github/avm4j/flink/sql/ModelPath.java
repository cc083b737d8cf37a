// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model in a file, or in a folder as the jobs of {@code avm stream} and {@code avm train} leave
 * it: {@code NAME.latest} names the newest file; without it there is {@code NAME.avm}. A file may
 * list parts that lie beside it. A file is news when its time, size or identity changed; one that
 * could not be used is tried again at every look.
 */
final class ModelPath implements ModelSource {
  private static final int LONGEST_POINTER = 1000;

  /** A file needs about six times its size of heap while it is read. */
  private static final int HEAP_SHARE = 6;

  private final Path path;
  private final @Nullable String name;
  private @Nullable Print seen;

  private record Print(Path file, Object key, FileTime time, long size) {}

  /**
   * Looks at nothing yet.
   *
   * @param name name of the model in a folder; null if the folder holds one alone
   */
  ModelPath(Path path, @Nullable String name) {
    this.path = path;
    this.name = name;
  }

  @Override
  public void look(Taker taker) throws IOException {
    Path file = Files.isDirectory(path) ? inFolder() : path;
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(
          file.toString(), null, "is no model file and no folder of models on this machine");
    }
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
    Object key = now.fileKey();
    Print print = new Print(file, key == null ? "" : key, now.lastModifiedTime(), now.size());
    if (!print.equals(seen) && taker.take(file.toString(), () -> read(file, now.size()))) {
      seen = print;
    }
  }

  private static RowModel read(Path file, long size) throws IOException {
    long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    if (size > most) {
      throw new InvalidModelException(
          size + " bytes; at most " + most + " are taken, a sixth of the heap of the TaskManager");
    }
    return RowModel.read(file);
  }

  private Path inFolder() throws IOException {
    Path pointer = name == null ? only("*.latest") : path.resolve(name + ".latest");
    if (pointer != null && Files.exists(pointer)) {
      return named(pointer);
    }
    Path plain = name == null ? only("*.avm") : path.resolve(name + ".avm");
    if (plain == null) {
      throw new NoSuchFileException(path.toString(), null, "the folder holds no model yet");
    }
    return plain;
  }

  /** The file a pointer names, which lies beside it. */
  private Path named(Path pointer) throws IOException {
    if (Files.size(pointer) > LONGEST_POINTER) {
      throw new IOException(pointer + " is too long to name a file");
    }
    String text = new String(Files.readAllBytes(pointer), StandardCharsets.UTF_8).strip();
    if (!text.endsWith(".avm") || text.contains("/") || text.contains("\\")) {
      throw new IOException(pointer + " names no .avm file of its folder: '" + text + "'");
    }
    return path.resolve(text);
  }

  private @Nullable Path only(String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, pattern)) {
      files.forEach(found::add);
    }
    if (found.size() > 1) {
      throw new IOException(
          path
              + " holds several models, as "
              + found.get(0).getFileName()
              + " and "
              + found.get(1).getFileName()
              + ": say which with 'model' = 'NAME'");
    }
    return found.isEmpty() ? null : found.get(0);
  }
}
