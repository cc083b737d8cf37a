// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link BadRecord}. Layout 1: the record, the reason, the label. Never in a
 * savepoint: bad records are not state.
 */
public final class BadRecordSerializer extends FormatSerializer<BadRecord> {
  /** The only instance of the newest layout. */
  public static final BadRecordSerializer INSTANCE = new BadRecordSerializer();

  /** Flink's type information. */
  public static final TypeInformation<BadRecord> TYPE = INSTANCE.type(BadRecord.class);

  private static final long serialVersionUID = 1;

  private BadRecordSerializer() {
    super(1);
  }

  @Override
  public void serialize(BadRecord value, DataOutputView out) throws IOException {
    RawRecordSerializer.INSTANCE.serialize(value.record(), out);
    Wire.text(value.reason(), out);
    out.writeDouble(value.label());
  }

  @Override
  public BadRecord deserialize(DataInputView in) throws IOException {
    return new BadRecord(
        RawRecordSerializer.INSTANCE.deserialize(in), Wire.text(in), in.readDouble());
  }

  @Override
  public TypeSerializerSnapshot<BadRecord> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<BadRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
