// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
/**
 * A learner that finds its settings while it learns, by few decisions: {@link
 * io.github.avm4j.internal.auto.Rule} lists them. Settings come from a short list, not from a
 * search; every change of what predicts is won by a challenger on losses of the same rows.
 */
@NullMarked
package io.github.avm4j.internal.auto;

import org.jspecify.annotations.NullMarked;
