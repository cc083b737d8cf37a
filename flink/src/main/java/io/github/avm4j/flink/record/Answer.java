// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * What was said of an example.
 *
 * @param id the example's
 * @param key the example's
 * @param answer a class's number or the number itself; NaN while nothing has been learned
 * @param label what was right, NaN if not known then
 * @param version of the model that answered: instances it had learned from
 * @param time the example's
 */
public record Answer(String id, String key, double answer, double label, long version, long time) {}
