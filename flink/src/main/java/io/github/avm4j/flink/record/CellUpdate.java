// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/** The new model of a cell that has changed. Callers must not modify the array. */
public final class CellUpdate {
  private final int cell;
  private final long instances;
  private final byte[] model;

  /**
   * Creates the update of a cell.
   *
   * @param cell the cell, from 0
   * @param instances number of instances that it has predicted and learned from
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

  /** {@return the number of instances that it has predicted and learned from; its version} */
  public long instances() {
    return instances;
  }

  /** {@return the file of its model; empty where the plan's model predicts} */
  public byte[] model() {
    return model;
  }
}
