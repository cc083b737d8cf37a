// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Model files: reading and describing them. */
@NullMarked
package io.github.avm4j.cli.model;

import org.jspecify.annotations.NullMarked;
