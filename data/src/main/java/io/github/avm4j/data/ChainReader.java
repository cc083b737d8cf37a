// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of several files, one file after another. */
final class ChainReader implements RowReader {
  private final ReaderOptions options;
  private final Iterator<Source> sources;
  private final List<String> notes = new ArrayList<>();
  private final Layout layout;
  private final Map<String, List<String>> declared;
  private final CellReader cells;
  private final boolean prompt;
  private String file;
  private @Nullable Rows rows;
  private long line;
  private long count;
  private long skipped;
  private long unlabelled;
  private @Nullable String firstSkipped;

  ChainReader(ReaderOptions options, List<Source> sources, boolean prompt) throws IOException {
    this.options = options;
    this.prompt = prompt;
    this.sources = sources.iterator();
    file = sources.get(0).name();
    Rows first = open(this.sources.next(), null);
    rows = first;
    layout = first.layout();
    declared = first.declared();
    cells = first.cells();
  }

  private Rows open(Source source, @Nullable Layout first) throws IOException {
    file = source.name();
    line = 0;
    int maxLine = options.maxLineBytes();
    Input input = prompt ? source.openPrompt(maxLine) : source.open(maxLine);
    try {
      return Readers.rows(input, options, first);
    } catch (BadFileException e) {
      input.close();
      throw e;
    } catch (IOException | RuntimeException e) {
      input.close();
      throw broken(e);
    }
  }

  @Override
  public boolean next(Row row) throws IOException {
    while (true) {
      Rows current = rows;
      if (current == null) {
        return false;
      }
      try {
        if (current.read(row)) {
          line = current.line();
          count++;
          return true;
        }
      } catch (BadRowException e) {
        line = current.line();
        skip(e);
        continue;
      } catch (BadFileException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        line = current.line();
        throw broken(e);
      }
      leave(current);
    }
  }

  private void skip(BadRowException problem) throws BadRowException {
    OnBadRow choice = options.onBadRow();
    if (choice == OnBadRow.SKIP_UNLABELLED && problem.isUnlabelled()) {
      unlabelled++;
    } else if (choice == OnBadRow.SKIP) {
      firstSkipped = firstSkipped == null ? problem.getMessage() : firstSkipped;
    } else {
      throw problem;
    }
    skipped++;
  }

  /** Goes to the next file, if there is one. */
  private void leave(Rows current) throws IOException {
    addNotes(current);
    rows = null;
    current.close();
    if (sources.hasNext()) {
      rows = open(sources.next(), layout);
    }
  }

  private BadFileException broken(Exception cause) {
    return new BadFileException(
        position() + ": cannot be read any further: " + cause.getMessage(), cause);
  }

  private void addNotes(Rows current) {
    for (String note : current.notes()) {
      notes.add(file + ": " + note);
    }
  }

  @Override
  public List<String> columns() {
    return layout.columns();
  }

  @Override
  public @Nullable String labelName() {
    return layout.labelName();
  }

  @Override
  public @Nullable String labelReason() {
    return layout.labelReason(options);
  }

  @Override
  public Map<String, List<String>> declared() {
    return declared;
  }

  @Override
  public CellReader cells() {
    return cells;
  }

  @Override
  public Position position() {
    return new Position(file, line);
  }

  @Override
  public long rows() {
    return count;
  }

  @Override
  public long skipped() {
    return skipped;
  }

  @Override
  public List<String> notes() {
    List<String> all = new ArrayList<>(notes);
    if (rows != null) {
      for (String note : rows.notes()) {
        all.add(file + ": " + note);
      }
    }
    if (unlabelled > 0) {
      all.add(unlabelled + " rows without a label left out");
    }
    if (firstSkipped != null) {
      all.add(skipped + " bad rows skipped, the first: " + firstSkipped);
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      Rows last = rows;
      addNotes(last);
      rows = null;
      last.close();
    }
  }
}
