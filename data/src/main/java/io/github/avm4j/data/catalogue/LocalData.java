// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data.catalogue;

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
    return Readers.open(set.options(), train.toArray(new Path[0]));
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
    return Readers.open(set.options(), test.toArray(new Path[0]));
  }
}
