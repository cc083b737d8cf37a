// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Bytes of files: one codec per component; no component knows that it can be saved. */
@NullMarked
package io.github.avm4j.internal.format;

import org.jspecify.annotations.NullMarked;
