// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** Which iterate or average of iterates predicts. */
@NullMarked
package io.github.avm4j.averaging;

import org.jspecify.annotations.NullMarked;
