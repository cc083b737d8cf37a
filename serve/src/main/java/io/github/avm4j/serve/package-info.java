// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Prediction server: its settings, its parts and its main class. */
package io.github.avm4j.serve;
