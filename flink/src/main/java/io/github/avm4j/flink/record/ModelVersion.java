// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * A published model, or a part of one: its name is then {@code NAME/PLAN/CELL} and its file that of
 * the part, empty if the part was removed. Callers must not modify the bytes.
 */
public final class ModelVersion {
  private final String name;
  private final String lineage;
  private final long version;
  private final long instances;
  private final byte[] file;

  /**
   * A version of the model {@code name}.
   *
   * @param name name of the model
   * @param lineage the line of versions it is of, {@link Lineage#NONE} if that is not known
   * @param version 1 for the first of a line, larger each time
   * @param instances learned from
   * @param file a model's or learner's file (docs/format.md)
   */
  public ModelVersion(String name, String lineage, long version, long instances, byte[] file) {
    this.name = name;
    this.lineage = lineage;
    this.version = version;
    this.instances = instances;
    this.file = file;
  }

  /** {@return the model's name: the key in a compacted topic} */
  public String name() {
    return name;
  }

  /** {@return whether it is a part of a model} */
  public boolean isPart() {
    return name.indexOf('/') >= 0;
  }

  /** {@return the line of versions it is of; see {@link Lineage}} */
  public String lineage() {
    return lineage;
  }

  /** {@return the number of the version within its line, from 1} */
  public long version() {
    return version;
  }

  /** {@return the number of instances learned from} */
  public long instances() {
    return instances;
  }

  /** {@return the file's bytes} */
  public byte[] file() {
    return file;
  }
}
