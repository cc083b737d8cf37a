// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

/**
 * What a bound on the core points has cost: how far instances were from what stood in for them.
 *
 * @param delta largest distance of an instance to its nearest core point, when it came
 * @param deltaPhi the same in feature space, √(2(1 − k(δ²))): no instance's stand-in, its
 *     projection, was farther (the paper's δ_Φ; a projection is never farther than a core point)
 * @param residual largest distance, in feature space, of an instance to its projection among those
 *     whose projection was computed: all at first, one in up to eight where few became core points,
 *     and after the budget was used up those that could replace one
 * @param absorbed instances learned from by their projection alone because the budget was used up
 */
public record Certificate(double delta, double deltaPhi, double residual, long absorbed) {}
