// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.FailureException;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.data.catalogue.DataSet;
import io.github.avm4j.data.catalogue.LocalData;
import io.github.avm4j.data.catalogue.Progress;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of a command line, and knows how far reading has come where that can be known.
 */
public final class Inputs {
  private static final String CATALOGUE = "data:";

  private final List<Path> files;
  private final @Nullable DataSet set;
  private final AtomicLong read = new AtomicLong();
  private long size;

  private Inputs(List<Path> files, @Nullable DataSet set) {
    this.files = files;
    this.set = set;
  }

  /** The files of these arguments; {@code data:NAME} stands for a set of the catalogue. */
  public static Inputs of(List<String> arguments) throws IOException {
    if (arguments.size() == 1 && arguments.get(0).startsWith(CATALOGUE)) {
      return ofCatalogue(arguments.get(0).substring(CATALOGUE.length()));
    }
    for (String argument : arguments) {
      if (argument.startsWith(CATALOGUE)) {
        throw new FailureException(
            argument
                + ": a set of the catalogue cannot be read together with other data: name it alone");
      }
    }
    return new Inputs(arguments.stream().map(Path::of).toList(), null);
  }

  private static Inputs ofCatalogue(String name) throws IOException {
    boolean test = name.endsWith(":test");
    LocalData data =
        CatalogueOptions.fromEnvironment()
            .get(test ? name.substring(0, name.length() - 5) : name, Progress.NONE);
    if (test && data.test().isEmpty()) {
      throw new FailureException(
          "data:"
              + data.set().name()
              + ":test: this set has no test rows of its own; use data:"
              + data.set().name());
    }
    return new Inputs(test ? data.test() : data.train(), data.set());
  }

  /** What is told, and of a set of the catalogue what it says itself of label and columns. */
  private ReaderOptions complete(ReaderOptions told) {
    if (set == null) {
      return told;
    }
    List<String> ignored = new ArrayList<>(set.ignored());
    ignored.addAll(told.ignored());
    ReaderOptions all = told.withIgnored(ignored);
    boolean silent = told.label() == null && !set.label().isEmpty();
    return silent ? all.withLabel(set.label()) : all;
  }

  /** The task that was set, else the one of a set of the catalogue; null if neither is known. */
  public @Nullable Task task(@Nullable Task told) {
    return told != null || set == null ? told : set.task();
  }

  /** The rows of all files. */
  public RowReader open(ReaderOptions told) throws IOException {
    ReaderOptions options = complete(told);
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
