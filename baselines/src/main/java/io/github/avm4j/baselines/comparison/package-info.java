// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Several methods on the same rows: parameters by search, runs, and a picture of them. */
package io.github.avm4j.baselines.comparison;
