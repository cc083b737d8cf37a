// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Files that are whole after a power failure: the old one or the new one, never a part. What was
 * written is on the disk before the file gets its name, and the name is before a call returns.
 */
public final class DurableFile {
  /** Puts what was written to a file or a folder on the disk. */
  public interface Sync {
    /**
     * Makes what was written durable.
     *
     * @param path the file or folder
     * @param folder whether it is a folder
     * @throws IOException if the disk fails
     */
    void force(Path path, boolean folder) throws IOException;
  }

  private static final Sync DISK = DurableFile::force;

  private DurableFile() {}

  /**
   * Writes beside the target and renames, so that a reader never sees half a file.
   *
   * @param file content of the file
   * @param path the file
   * @throws IOException if the file cannot be written
   */
  public static void write(byte[] file, Path path) throws IOException {
    write(file, path, DISK);
  }

  /**
   * Renames a file within its file system; a file of that name is replaced.
   *
   * @param from name now
   * @param to name then
   * @throws IOException if the file cannot be written
   */
  public static void rename(Path from, Path to) throws IOException {
    rename(from, to, DISK);
  }

  /**
   * Writes beside the target and renames, with another way to make it durable.
   *
   * @param file content of the file
   * @param path the file
   * @param sync makes the file and its folder durable
   * @throws IOException if the file cannot be written
   */
  public static void write(byte[] file, Path path, Sync sync) throws IOException {
    // Not a temporary file of the JDK's: that would be readable by its owner alone.
    String unique = Long.toUnsignedString(System.nanoTime(), 36);
    Path part = path.resolveSibling(path.getFileName() + "." + unique + ".part");
    try {
      Files.write(part, new byte[0], StandardOpenOption.CREATE_NEW);
    } catch (NoSuchFileException e) {
      throw named(new NoSuchFileException(path.toString(), null, "its folder does not exist"), e);
    } catch (AccessDeniedException e) {
      throw named(new AccessDeniedException(path.toString(), null, e.getReason()), e);
    }
    try {
      Files.write(part, file);
      rename(part, path, sync);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Renames a file within its file system, with another way to make it durable.
   *
   * @param from name now
   * @param to name then
   * @param sync makes the folder durable
   * @throws IOException if the file cannot be renamed
   */
  public static void rename(Path from, Path to, Sync sync) throws IOException {
    sync.force(from, false);
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync.force(folder(to), true);
  }

  private static Path folder(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path.toAbsolutePath() : parent;
  }

  private static void force(Path path, boolean folder) throws IOException {
    if (!folder) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      return;
    }
    // Windows opens no folders and writes names through; some network file systems refuse as well.
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      return;
    }
  }

  /** Users know the file they named, not the part beside it. */
  private static IOException named(IOException ofTarget, IOException ofPart) {
    ofTarget.initCause(ofPart);
    return ofTarget;
  }
}
