// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
/**
 * Flink SQL: models of files, folders and topics behind {@code CREATE MODEL} and {@code
 * ML_PREDICT}, and a table function that learns. Flink finds {@link
 * io.github.avm4j.flink.sql.AvmModelFactory} by itself.
 */
@NullMarked
package io.github.avm4j.flink.sql;

import org.jspecify.annotations.NullMarked;
