// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializer of {@link RawRecord}. Layout 1: source, offset, key, value, time. */
public final class RawRecordSerializer extends FormatSerializer<RawRecord> {
  /** The only instance of the newest layout. */
  public static final RawRecordSerializer INSTANCE = new RawRecordSerializer();

  /** Flink's type information. */
  public static final TypeInformation<RawRecord> TYPE = INSTANCE.type(RawRecord.class);

  private static final long serialVersionUID = 1;

  private RawRecordSerializer() {
    super(1);
  }

  @Override
  public void serialize(RawRecord value, DataOutputView out) throws IOException {
    Wire.text(value.source(), out);
    out.writeLong(value.offset());
    Wire.bytes(value.key(), out);
    Wire.bytes(value.value(), out);
    out.writeLong(value.time());
  }

  @Override
  public RawRecord deserialize(DataInputView in) throws IOException {
    return new RawRecord(
        Wire.text(in), in.readLong(), Wire.bytes(in), Wire.bytes(in), in.readLong());
  }

  @Override
  public TypeSerializerSnapshot<RawRecord> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<RawRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
