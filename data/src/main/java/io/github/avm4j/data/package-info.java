// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
/**
 * Rows from files: LIBSVM, CSV, ARFF, JSON lines and Parquet, compressed or not, one row at a time
 * in constant memory. Start at {@link io.github.avm4j.data.Readers}.
 */
package io.github.avm4j.data;
