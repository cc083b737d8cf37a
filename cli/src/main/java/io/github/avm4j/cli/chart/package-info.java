// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Learning curves and comparisons drawn as SVG. */
@NullMarked
package io.github.avm4j.cli.chart;

import org.jspecify.annotations.NullMarked;
