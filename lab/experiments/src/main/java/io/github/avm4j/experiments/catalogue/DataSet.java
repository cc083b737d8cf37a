// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import java.util.List;

/**
 * A public data set.
 *
 * @param name what it is called here
 * @param title what it is about
 * @param task what to learn from it
 * @param extent how much of it is here
 * @param rows rows for training
 * @param features features after the ignored columns are left out, before text is encoded
 * @param classes classes in the rows for training; 0 for regression
 * @param label the label's column, as in {@link ReaderOptions}; empty where it is found by itself
 * @param ignored columns to leave out
 * @param scaling what to do to the features before learning
 * @param licence under which terms it is published
 * @param citation whom to cite
 * @param notes what one should know before using it
 * @param files its files
 */
public record DataSet(
    String name,
    String title,
    Task task,
    Extent extent,
    long rows,
    int features,
    int classes,
    String label,
    List<String> ignored,
    String scaling,
    String licence,
    String citation,
    String notes,
    List<DataFile> files) {
  /**
   * Copies the lists.
   *
   * @param name what it is called here
   * @param title what it is about
   * @param task what to learn from it
   * @param extent how much of it is here
   * @param rows rows for training
   * @param features features after the ignored columns are left out, before text is encoded
   * @param classes classes in the rows for training; 0 for regression
   * @param label the label's column, as in {@link ReaderOptions}; empty where it is found by itself
   * @param ignored columns to leave out
   * @param scaling what to do to the features before learning
   * @param licence under which terms it is published
   * @param citation whom to cite
   * @param notes what one should know before using it
   * @param files its files
   */
  public DataSet {
    ignored = List.copyOf(ignored);
    files = List.copyOf(files);
  }

  /** {@return the options to read its files with} */
  public ReaderOptions options() {
    return ReaderOptions.defaults().withLabel(label.isEmpty() ? null : label).withIgnored(ignored);
  }

  /** {@return whether all its files can be downloaded; else they must be in a mirror folder} */
  public boolean canBeDownloaded() {
    return files.stream().allMatch(DataFile::direct);
  }

  /**
   * {@return the files of one role}
   *
   * @param role {@code train} or {@code test}
   */
  public List<DataFile> files(String role) {
    return files.stream().filter(f -> f.role().equals(role)).toList();
  }
}
