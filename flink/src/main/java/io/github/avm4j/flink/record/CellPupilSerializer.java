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
    out.writeLong(value.instances());
    out.writeDouble(value.loss());
    out.writeLong(value.windowInstances());
    out.writeDouble(value.windowLoss());
    out.writeLong(value.published());
    Wire.bytes(value.file(), out);
  }

  @Override
  public CellPupil deserialize(DataInputView in) throws IOException {
    long instances = in.readLong();
    double loss = in.readDouble();
    long window = in.readLong();
    double windowLoss = in.readDouble();
    long published = in.readLong();
    if (window < 0 || window > instances || published < 0 || published > instances) {
      throw new IOException("the counts of a cell do not fit together");
    }
    return new CellPupil(Wire.bytes(in), instances, loss, window, windowLoss, published);
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
