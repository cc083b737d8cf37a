// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
/**
 * A learner that finds its settings while it learns, by few decisions: {@link
 * io.github.avm4j.internal.auto.Rule} lists them. Settings come from a short list, not from a
 * search; after the beginning every change of what predicts is won by a challenger on losses of the
 * same rows. Start at {@link io.github.avm4j.internal.auto.AutoEngine}.
 *
 * <p>Where a number is:
 *
 * <ul>
 *   <li>{@link io.github.avm4j.internal.auto.Rule}: the evidence that wins, loses, or ends a
 *       challenge.
 *   <li>{@link io.github.avm4j.internal.auto.Shape}: the kernels that enter, and their widths.
 *   <li>{@link io.github.avm4j.internal.auto.Beginning}: when entrants are taught, with how many
 *       core points, and how many go on.
 *   <li>{@link io.github.avm4j.internal.auto.View}: the exponent and the limits of relevance.
 *   <li>{@link io.github.avm4j.internal.auto.Whole}: forgetting factors, how long and how often
 *       they are tried, when features are weighed or scaled anew.
 *   <li>{@link io.github.avm4j.internal.auto.Divisions}: when the space is divided and into how
 *       many cells. {@link io.github.avm4j.internal.auto.Cell}: the core points of a cell's expert,
 *       the candidates for it, when a cell is closed.
 *   <li>{@link io.github.avm4j.internal.auto.Renewal}: when a fresh learner begins and is dropped;
 *       {@link io.github.avm4j.internal.auto.LossAlarm} and {@link
 *       io.github.avm4j.internal.auto.SuddenRise}: what calls for one.
 *   <li>{@link io.github.avm4j.internal.auto.OutlierGuard}: how far a target may be from its
 *       prediction. {@link io.github.avm4j.internal.auto.Ranges}: how features are cut.
 *   <li>{@link io.github.avm4j.internal.auto.Setup}: the work that a row may take, the rows that
 *       are kept, and how bytes are shared.
 *   <li>{@link io.github.avm4j.internal.auto.AutoFile}: the file; each part writes and reads
 *       itself.
 * </ul>
 */
@NullMarked
package io.github.avm4j.internal.auto;

import org.jspecify.annotations.NullMarked;
