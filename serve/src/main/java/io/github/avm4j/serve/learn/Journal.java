// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows learned since the learner was saved last, one line each. What {@link #append} has
 * written is there after a crash of the process, and of the machine where it is synced. A write
 * that fails leaves nothing behind: the file is cut off where it ended before. For one thread.
 */
final class Journal implements AutoCloseable {
  private final Path path;
  private final boolean sync;
  private final FileChannel channel;
  private long length;

  private Journal(Path path, boolean sync, FileChannel channel, long length) {
    this.path = path;
    this.sync = sync;
    this.channel = channel;
    this.length = length;
  }

  /**
   * What a journal held.
   *
   * @param journal to be appended to
   * @param lines whole lines
   * @param torn bytes of a last line that was not whole, which have been cut off
   */
  record Opened(Journal journal, List<byte[]> lines, long torn) {}

  /** Opens a journal, which is made if it is not there. */
  static Opened open(Path path, boolean sync) throws IOException {
    byte[] all = Files.exists(path) ? Files.readAllBytes(path) : new byte[0];
    List<byte[]> lines = new ArrayList<>();
    int from = 0;
    for (int k = 0; k < all.length; k++) {
      if (all[k] == '\n') {
        lines.add(Arrays.copyOfRange(all, from, k));
        from = k + 1;
      }
    }
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Journal journal = new Journal(path, sync, channel, from);
    try {
      journal.cut();
      if (sync) {
        try (FileChannel folder = FileChannel.open(path.resolveSibling("."))) {
          folder.force(true); // that the file is there
        }
      }
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new Opened(journal, lines, all.length - from);
  }

  private void cut() throws IOException {
    channel.truncate(length);
    channel.position(length);
    if (sync) {
      channel.force(true);
    }
  }

  /**
   * Appends whole lines, all or none.
   *
   * @throws IOException if they are not there
   */
  void append(byte[] lines) throws IOException {
    if (channel.position() != length || channel.size() != length) {
      cut(); // what an earlier failure left
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(lines);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      if (sync) {
        channel.force(false);
      }
    } catch (IOException e) {
      try {
        cut();
      } catch (IOException again) {
        e.addSuppressed(again); // the next append tries once more
      }
      throw e;
    }
    length += lines.length;
  }

  /** Its bytes. */
  long length() {
    return length;
  }

  /** Its file. */
  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
