// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Versions of models that others publish: found in files and records, checked, and used. */
@NullMarked
package io.github.avm4j.follow;

import org.jspecify.annotations.NullMarked;
