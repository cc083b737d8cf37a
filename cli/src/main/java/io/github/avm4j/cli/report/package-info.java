// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Results for people and programs: text, JSON, CSV and HTML. */
@NullMarked
package io.github.avm4j.cli.report;

import org.jspecify.annotations.NullMarked;
