// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A data set whose files are on this machine.
 *
 * @param set what it is
 * @param train its files for training, in the order to read them
 * @param test its files for testing; may be empty
 */
public record LocalData(DataSet set, List<Path> train, List<Path> test) {
  /**
   * Copies the lists.
   *
   * @param set what it is
   * @param train its files for training, in the order to read them
   * @param test its files for testing; may be empty
   */
  public LocalData {
    train = List.copyOf(train);
    test = List.copyOf(test);
  }

  /**
   * {@return the rows for training}
   *
   * @throws IOException if a file cannot be opened
   */
  public RowReader openTrain() throws IOException {
    return open(set.options(), train);
  }

  /**
   * {@return the rows for testing}
   *
   * @throws DataException if the set has none
   */
  public RowReader openTest() throws IOException {
    if (test.isEmpty()) {
      throw new DataException(set.name() + " has no test file; hold some rows back");
    }
    return open(set.options(), test);
  }

  static RowReader open(ReaderOptions options, List<Path> files) throws IOException {
    return IdxReader.reads(files.get(0))
        ? new IdxReader(files.get(0), files.get(1))
        : Readers.open(options, files.toArray(new Path[0]));
  }
}
