// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/** What a cell publishes when it has changed. The bytes are not to be written to. */
public final class CellUpdate {
  private final int cell;
  private final long instances;
  private final byte[] model;

  /**
   * Of cell {@code cell}.
   *
   * @param cell the cell, from 0
   * @param instances that it has answered and learned from
   * @param model file of its model; empty where the plan's model predicts
   */
  public CellUpdate(int cell, long instances, byte[] model) {
    this.cell = cell;
    this.instances = instances;
    this.model = model;
  }

  /** {@return the cell, from 0} */
  public int cell() {
    return cell;
  }

  /** {@return the number of instances that it has answered and learned from; its version} */
  public long instances() {
    return instances;
  }

  /** {@return the file of its model; empty where the plan's model predicts} */
  public byte[] model() {
    return model;
  }
}
