// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** What learning gives: immutable models that predict and explain; knows nothing of training. */
@NullMarked
package io.github.avm4j.model;

import org.jspecify.annotations.NullMarked;
