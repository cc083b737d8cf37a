// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

/** How rows are written. */
public enum Format {
  /** Found from the file's name, else from its first bytes. */
  AUTO,
  /** LIBSVM and SVMlight text: {@code label index:value …}. */
  LIBSVM,
  /** One row a line, fields between commas, tabs, semicolons, bars or runs of white space. */
  CSV,
  /** Weka's ARFF, dense or sparse. */
  ARFF,
  /** One flat JSON object per line. */
  JSONL,
  /** Apache Parquet with flat columns. */
  PARQUET
}
