// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/** A published model. The bytes are not to be written to. */
public final class ModelVersion {
  private final String name;
  private final long version;
  private final long instances;
  private final byte[] file;

  /**
   * A version of the model {@code name}.
   *
   * @param version 1 for the first, one more each time
   * @param instances learned from
   * @param file a model's or learner's file (docs/format.md)
   */
  public ModelVersion(String name, long version, long instances, byte[] file) {
    this.name = name;
    this.version = version;
    this.instances = instances;
    this.file = file;
  }

  /** The model's name: the key in a compacted topic. */
  public String name() {
    return name;
  }

  /** 1, 2, 3 … */
  public long version() {
    return version;
  }

  /** Instances learned from. */
  public long instances() {
    return instances;
  }

  /** The file's bytes. */
  public byte[] file() {
    return file;
  }
}
