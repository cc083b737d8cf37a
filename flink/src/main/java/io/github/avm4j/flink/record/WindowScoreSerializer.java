// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializer of {@link WindowScore}. Layout 1: the components in their order. */
public final class WindowScoreSerializer extends FormatSerializer<WindowScore> {
  /** The only instance of the newest layout. */
  public static final WindowScoreSerializer INSTANCE = new WindowScoreSerializer();

  /** Flink's type information. */
  public static final TypeInformation<WindowScore> TYPE = INSTANCE.type(WindowScore.class);

  private static final long serialVersionUID = 1;

  private WindowScoreSerializer() {
    super(1);
  }

  @Override
  public void serialize(WindowScore value, DataOutputView out) throws IOException {
    out.writeInt(value.cell());
    out.writeLong(value.instances());
    out.writeDouble(value.loss());
    out.writeLong(value.windowInstances());
    out.writeDouble(value.windowLoss());
    out.writeInt(value.size());
    out.writeLong(value.time());
  }

  @Override
  public WindowScore deserialize(DataInputView in) throws IOException {
    return new WindowScore(
        in.readInt(),
        in.readLong(),
        in.readDouble(),
        in.readLong(),
        in.readDouble(),
        in.readInt(),
        in.readLong());
  }

  @Override
  public TypeSerializerSnapshot<WindowScore> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<WindowScore> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
