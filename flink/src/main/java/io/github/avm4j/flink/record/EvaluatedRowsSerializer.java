// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link EvaluatedRows}. Layout 1: the counts as {@link EvaluatedLearnerSerializer}
 * writes them, length of the learner's file, and that file in the format of docs/format.md, with
 * columns and class names. A restored learner continues as if it had never stopped, bit for bit.
 */
public final class EvaluatedRowsSerializer extends FormatSerializer<EvaluatedRows> {
  /** The only instance of the newest layout. */
  public static final EvaluatedRowsSerializer INSTANCE = new EvaluatedRowsSerializer();

  private static final long serialVersionUID = 1;

  private EvaluatedRowsSerializer() {
    super(1);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public EvaluatedRows copy(EvaluatedRows from) {
    try {
      return new EvaluatedRows(RowLearner.read(from.rows().toBytes()), from.tally().copy());
    } catch (InvalidModelException e) {
      throw new UncheckedIOException("a learner cannot read what it wrote: a defect", e);
    }
  }

  @Override
  public void serialize(EvaluatedRows value, DataOutputView out) throws IOException {
    value.tally().write(out);
    Wire.bytes(value.rows().toBytes(), out);
  }

  @Override
  public EvaluatedRows deserialize(DataInputView in) throws IOException {
    Tally tally = Tally.read(in);
    return new EvaluatedRows(RowLearner.read(Wire.bytes(in)), tally);
  }

  @Override
  public TypeSerializerSnapshot<EvaluatedRows> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<EvaluatedRows> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
