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
 * The state of a shard or key. Layout 1: instances, loss, instances and loss of the window, length
 * of the learner's file, and that file in the format of docs/format.md. A restored pupil goes on as
 * if it had never stopped, bit for bit.
 *
 * <p>Copying costs writing and reading the file. Flink copies a shard once a checkpoint; a key in
 * heap state on its first access after a checkpoint began. RocksDB writes and reads on every
 * access.
 */
public final class PupilSerializer extends FormatSerializer<Pupil> {
  /** The one there is. */
  public static final PupilSerializer INSTANCE = new PupilSerializer();

  /** The type. */
  public static final TypeInformation<Pupil> TYPE = INSTANCE.type(Pupil.class);

  private static final long serialVersionUID = 1;

  private PupilSerializer() {
    super(1);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public Pupil copy(Pupil from) {
    try {
      return new Pupil(Learner.fromBytes(from.learner().toBytes()), from.tally().copy());
    } catch (InvalidModelException e) {
      throw new UncheckedIOException("a learner cannot read what it wrote: a defect", e);
    }
  }

  @Override
  public void serialize(Pupil value, DataOutputView out) throws IOException {
    value.tally().write(out);
    Wire.bytes(value.learner().toBytes(), out);
  }

  @Override
  public Pupil deserialize(DataInputView in) throws IOException {
    Tally tally = Tally.read(in);
    return new Pupil(Learner.fromBytes(Wire.bytes(in)), tally);
  }

  @Override
  public TypeSerializerSnapshot<Pupil> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Remembers the layout. */
  public static final class Snapshot extends FormatSnapshot<Pupil> {
    /** Made by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
