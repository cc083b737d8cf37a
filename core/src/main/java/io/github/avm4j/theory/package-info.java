// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** The paper's bounds as functions: regret, model size, independence. */
@NullMarked
package io.github.avm4j.theory;

import org.jspecify.annotations.NullMarked;
