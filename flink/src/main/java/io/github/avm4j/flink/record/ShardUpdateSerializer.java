// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link ShardUpdate}. Layout 1: shard, of, instances, last, learner, start. Never in
 * a savepoint: merges are not state.
 */
public final class ShardUpdateSerializer extends FormatSerializer<ShardUpdate> {
  /** The only instance of the newest layout. */
  public static final ShardUpdateSerializer INSTANCE = new ShardUpdateSerializer();

  /** Flink's type information. */
  public static final TypeInformation<ShardUpdate> TYPE = INSTANCE.type(ShardUpdate.class);

  private static final long serialVersionUID = 1;

  private ShardUpdateSerializer() {
    super(1);
  }

  @Override
  public void serialize(ShardUpdate value, DataOutputView out) throws IOException {
    out.writeInt(value.shard());
    out.writeInt(value.of());
    out.writeLong(value.instances());
    out.writeBoolean(value.isLast());
    Wire.bytes(value.learner(), out);
    Wire.bytes(value.start(), out);
  }

  @Override
  public ShardUpdate deserialize(DataInputView in) throws IOException {
    return new ShardUpdate(
        in.readInt(),
        in.readInt(),
        in.readLong(),
        in.readBoolean(),
        Wire.bytes(in),
        Wire.bytes(in));
  }

  @Override
  public TypeSerializerSnapshot<ShardUpdate> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<ShardUpdate> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
