// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Opens the files of a command line, and knows how far reading has come where that can be known. */
final class Inputs {
  private final List<Path> files;
  private final AtomicLong read = new AtomicLong();
  private long size;

  Inputs(List<Path> files) {
    this.files = files;
  }

  /** The files of these arguments. */
  static Inputs of(List<String> arguments) {
    return new Inputs(arguments.stream().map(Path::of).toList());
  }

  /** The rows of all files. */
  RowReader open(ReaderOptions options) throws IOException {
    Path first = files.get(0);
    boolean countable =
        files.size() == 1
            && Files.isRegularFile(first)
            && !first.toString().endsWith(".parquet")
            && Files.size(first) > 0;
    if (!countable) {
      return Readers.open(options, files.toArray(new Path[0]));
    }
    size = Files.size(first);
    InputStream counted = new Counted(Files.newInputStream(first));
    return Readers.open(options, first.toString(), new BufferedInputStream(counted, 1 << 16));
  }

  /** Share of the bytes read, or NaN if unknown. */
  double share() {
    return size == 0 ? Double.NaN : Math.min(1, read.doubleValue() / size);
  }

  private final class Counted extends FilterInputStream {
    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      read.addAndGet(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int got = in.read(target, offset, length);
      read.addAndGet(Math.max(got, 0));
      return got;
    }
  }
}
