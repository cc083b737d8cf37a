// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * Former name of {@link EvaluatedLearnerSerializer}. Savepoints hold the name of its snapshot's
 * class, so that class stays for reading them; nothing writes it.
 */
final class PupilSerializer {
  private PupilSerializer() {}

  /** Snapshot of {@link EvaluatedLearnerSerializer} in savepoints with the former name. */
  public static final class Snapshot extends FormatSnapshot<EvaluatedLearner> {
    /** Called by Flink. */
    public Snapshot() {
      super(EvaluatedLearnerSerializer.INSTANCE);
    }
  }
}
