// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Something to read: a file, or a stream that is already open.
 *
 * @param name what messages call it
 * @param path the file, if it is one
 * @param stream the stream, if it is none
 */
record Source(String name, @Nullable Path path, @Nullable InputStream stream) {
  /** A file; {@code -} is standard input. */
  static Source of(Path path) {
    return path.toString().equals("-")
        ? new Source("standard input", null, new Unclosed(System.in))
        : new Source(path.toString(), path, null);
  }

  /** Opens and unpacks it, and reads its head. */
  Input open(int maxLine) throws IOException {
    InputStream raw = stream != null ? stream : file();
    try {
      byte[] magic = raw.readNBytes(8);
      Compression compression = Compression.of(magic, magic.length);
      InputStream content = compression.unpack(new Head(magic, false).before(raw));
      Head head = Head.read(content, maxLine);
      Path plain = compression == Compression.PLAIN ? path : null;
      return new Input(name, plain, head, new Both(head.before(content), raw));
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw new BadFileException(name + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** Opens it and reads no further than its first line; it must not be compressed. */
  Input openPrompt(int maxLine) throws IOException {
    InputStream raw = stream != null ? stream : file();
    Head head = Head.readLine(raw, maxLine);
    return new Input(name, null, head, new Both(head.before(raw), raw));
  }

  private InputStream file() throws IOException {
    if (path == null || Files.isDirectory(path)) {
      throw new BadFileException(name + ": is a folder, not a file");
    }
    if (!Files.exists(path)) {
      throw new BadFileException(name + ": there is no such file");
    }
    return Files.newInputStream(path);
  }

  /** Standard input outlives its readers. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, length);
    }

    @Override
    public void close() {}
  }

  /** Closes what was unpacked and what lies under it. */
  private static final class Both extends FilterInputStream {
    private final InputStream under;

    Both(InputStream content, InputStream under) {
      super(content);
      this.under = under;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, length);
    }

    @Override
    public void close() throws IOException {
      try {
        in.close();
      } finally {
        under.close();
      }
    }
  }
}
