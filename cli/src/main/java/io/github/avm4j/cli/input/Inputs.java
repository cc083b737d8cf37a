// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import io.github.avm4j.cli.option.CatalogueOptions;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.data.catalogue.DataSet;
import io.github.avm4j.data.catalogue.LocalData;
import io.github.avm4j.data.catalogue.Progress;
import io.github.avm4j.model.AvmException;
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
 * Input files of a command line, with the share of their bytes that has been read if it is known.
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

  /** Creates the inputs of these arguments; {@code data:NAME} is a data set of the catalogue. */
  public static Inputs of(List<String> arguments) throws IOException {
    if (arguments.size() == 1 && arguments.get(0).startsWith(CATALOGUE)) {
      return ofCatalogue(arguments.get(0).substring(CATALOGUE.length()));
    }
    for (String argument : arguments) {
      if (argument.startsWith(CATALOGUE)) {
        throw new AvmException(argument + ": cannot be combined with other data: use it alone");
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
      throw new AvmException(
          "data:"
              + data.set().name()
              + ":test: this data set has no test rows; use data:"
              + data.set().name());
    }
    return new Inputs(test ? data.test() : data.train(), data.set());
  }

  /** Completes the options with the label and ignored columns of a catalogue data set. */
  private ReaderOptions complete(ReaderOptions given) {
    if (set == null) {
      return given;
    }
    List<String> ignored = new ArrayList<>(set.ignored());
    ignored.addAll(given.ignored());
    ReaderOptions all = given.withIgnored(ignored);
    boolean unset = given.label() == null && !set.label().isEmpty();
    return unset ? all.withLabel(set.label()) : all;
  }

  /** Task set by the user, else that of a catalogue data set; null if unknown. */
  public @Nullable Task task(@Nullable Task given) {
    return given != null || set == null ? given : set.task();
  }

  /** Opens all files as one sequence of rows. */
  public RowReader open(ReaderOptions given) throws IOException {
    ReaderOptions options = complete(given);
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
