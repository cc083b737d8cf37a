// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0

/** How unlike recent instances an instance is: the detector's engine. */
@NullMarked
package io.github.avm4j.internal.anomaly;

import org.jspecify.annotations.NullMarked;
