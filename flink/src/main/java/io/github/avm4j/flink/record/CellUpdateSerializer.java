// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializer of {@link CellUpdate}. Layout 1: cell, instances, file of the model. */
public final class CellUpdateSerializer extends FormatSerializer<CellUpdate> {
  /** The only instance of the newest layout. */
  public static final CellUpdateSerializer INSTANCE = new CellUpdateSerializer();

  /** Flink's type information. */
  public static final TypeInformation<CellUpdate> TYPE = INSTANCE.type(CellUpdate.class);

  private static final long serialVersionUID = 1;

  private CellUpdateSerializer() {
    super(1);
  }

  @Override
  public void serialize(CellUpdate value, DataOutputView out) throws IOException {
    out.writeInt(value.cell());
    out.writeLong(value.instances());
    Wire.bytes(value.model(), out);
  }

  @Override
  public CellUpdate deserialize(DataInputView in) throws IOException {
    return new CellUpdate(in.readInt(), in.readLong(), Wire.bytes(in));
  }

  @Override
  public TypeSerializerSnapshot<CellUpdate> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<CellUpdate> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
