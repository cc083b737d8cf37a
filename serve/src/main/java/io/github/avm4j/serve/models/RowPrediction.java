// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import org.jspecify.annotations.Nullable;

/**
 * A model's prediction for one row.
 *
 * @param winner index of the predicted class; −1 for regression
 * @param score the predicted number for regression, the margin for up to two classes (positive for
 *     the second), else the winner's score
 * @param margin the largest score less the second, 0 if there are no two; NaN for regression
 * @param probabilities one per class; null if the loss gives none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowPrediction(
    int winner, double score, double margin, double @Nullable [] probabilities) {}
