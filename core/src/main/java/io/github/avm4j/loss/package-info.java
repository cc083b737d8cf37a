// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Loss functions of the paper. */
@NullMarked
package io.github.avm4j.loss;

import org.jspecify.annotations.NullMarked;
