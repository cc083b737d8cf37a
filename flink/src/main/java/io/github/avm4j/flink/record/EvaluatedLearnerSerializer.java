// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link EvaluatedLearner}. Layout 1: instances, loss, instances and loss of the
 * window, length of the learner's file, and that file in the format of docs/format.md. A restored
 * learner continues as if it had never stopped, bit for bit.
 *
 * <p>Copying costs writing and reading the file. Flink copies the learner of a stream once per
 * checkpoint; a key in heap state on its first access after a checkpoint began. RocksDB writes and
 * reads on every access.
 */
public final class EvaluatedLearnerSerializer extends FormatSerializer<EvaluatedLearner> {
  /** The only instance of the newest layout. */
  public static final EvaluatedLearnerSerializer INSTANCE = new EvaluatedLearnerSerializer();

  /** Flink's type information. */
  public static final TypeInformation<EvaluatedLearner> TYPE =
      INSTANCE.type(EvaluatedLearner.class);

  private static final long serialVersionUID = 1;

  private EvaluatedLearnerSerializer() {
    super(1);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public EvaluatedLearner copy(EvaluatedLearner from) {
    try {
      return new EvaluatedLearner(Learner.fromBytes(from.learner().toBytes()), from.tally().copy());
    } catch (InvalidModelException e) {
      throw new UncheckedIOException("a learner cannot read what it wrote: a defect", e);
    }
  }

  @Override
  public void serialize(EvaluatedLearner value, DataOutputView out) throws IOException {
    value.tally().write(out);
    Wire.bytes(value.learner().toBytes(), out);
  }

  @Override
  public EvaluatedLearner deserialize(DataInputView in) throws IOException {
    Tally tally = Tally.read(in);
    return new EvaluatedLearner(Learner.fromBytes(Wire.bytes(in)), tally);
  }

  @Override
  public TypeSerializerSnapshot<EvaluatedLearner> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<EvaluatedLearner> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
