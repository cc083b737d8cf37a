// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The state of a cell. Layout 1: instances, loss, instances and loss of the window, instances when
 * last published, and the learner's file (docs/format.md).
 */
public final class CellPupilSerializer extends FormatSerializer<CellPupil> {
  /** The one there is. */
  public static final CellPupilSerializer INSTANCE = new CellPupilSerializer();

  /** The type. */
  public static final TypeInformation<CellPupil> TYPE = INSTANCE.type(CellPupil.class);

  private static final long serialVersionUID = 1;

  private CellPupilSerializer() {
    super(1);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  /** Costs writing the file; it is read again when an example comes. */
  @Override
  public CellPupil copy(CellPupil from) {
    return from.copy();
  }

  @Override
  public void serialize(CellPupil value, DataOutputView out) throws IOException {
    value.tally().write(out);
    out.writeLong(value.published());
    Wire.bytes(value.file(), out);
  }

  @Override
  public CellPupil deserialize(DataInputView in) throws IOException {
    Tally tally = Tally.read(in);
    long published = in.readLong();
    if (published < 0 || published > tally.instances()) {
      throw new IOException("a cell was published after more instances than it has learned from");
    }
    return new CellPupil(Wire.bytes(in), tally, published);
  }

  @Override
  public TypeSerializerSnapshot<CellPupil> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Remembers the layout. */
  public static final class Snapshot extends FormatSnapshot<CellPupil> {
    /** Made by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
