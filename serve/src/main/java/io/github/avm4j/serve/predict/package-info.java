// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Predictions, explanations and judgements of raw rows. */
package io.github.avm4j.serve.predict;
