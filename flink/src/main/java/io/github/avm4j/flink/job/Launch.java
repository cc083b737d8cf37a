// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.Lineage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The savepoint, lineage and plan that a job is started with.
 *
 * @param savepoint savepoint to resume from; null for none
 * @param lineage of the newest version that was published before; empty if none was found
 * @param version of the newest version that was published before; 0 if none was found
 * @param everywhere whether all outputs of models hold that version as their newest
 * @param listed keys of the parts that the newest manifest in the topic of models lists; empty if
 *     there is none
 * @param cells what a job of mode {@code cells} begins with; null for other modes
 */
record Launch(
    @Nullable String savepoint,
    String lineage,
    long version,
    boolean everywhere,
    List<String> listed,
    @Nullable CellStart cells) {
  /** A first start: no savepoint, and nothing was published before. */
  static final Launch NEW = new Launch(null, Lineage.NONE, 0);

  /** A start without a plan, or before it is made. */
  Launch(@Nullable String savepoint, String lineage, long version) {
    this(savepoint, lineage, version, true, List.of(), null);
  }

  /** The same, found with a manifest. */
  Launch with(List<String> parts) {
    return new Launch(savepoint, lineage, version, everywhere, parts, cells);
  }

  /** The same with a plan. */
  Launch with(CellStart plan) {
    return new Launch(savepoint, lineage, version, everywhere, listed, plan);
  }

  /** The same of two outputs: of one line the newer version, of two lines this one. */
  Launch and(Launch other) {
    boolean same = lineage.equals(other.lineage) && version == other.version;
    boolean others = !hasPublished() || lineage.equals(other.lineage) && other.version > version;
    Launch newer = others ? other : this;
    return new Launch(
        savepoint,
        newer.lineage,
        newer.version,
        everywhere && other.everywhere && same,
        listed.isEmpty() ? other.listed : listed,
        cells);
  }

  /** Whether something was published under the name before. */
  boolean hasPublished() {
    return version > 0;
  }
}
