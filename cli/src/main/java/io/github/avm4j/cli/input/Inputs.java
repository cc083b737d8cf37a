// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

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

/**
 * Input files of a command line, with the share of their bytes that has been read if it is known.
 */
public final class Inputs {
  private final List<Path> files;
  private final AtomicLong read = new AtomicLong();
  private long size;

  private Inputs(List<Path> files) {
    this.files = files;
  }

  /** Creates the inputs of these arguments. */
  public static Inputs of(List<String> arguments) {
    return new Inputs(arguments.stream().map(Path::of).toList());
  }

  /** Opens all files as one sequence of rows. */
  public RowReader open(ReaderOptions options) throws IOException {
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
  public double share() {
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
