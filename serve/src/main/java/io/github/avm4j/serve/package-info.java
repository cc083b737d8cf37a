// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** RowPrediction server: its main class, and how its parts are put together. */
package io.github.avm4j.serve;
