// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import org.jspecify.annotations.Nullable;

/**
 * A model's answer for one row.
 *
 * @param winner index of the class that wins; −1 for regression
 * @param score the number for regression, the margin for up to two classes (positive for the
 *     second), else the winner's score
 * @param probabilities one a class, where the loss makes them probabilities
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Answer(int winner, double score, double @Nullable [] probabilities) {}
