// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializer of {@link Prediction}. Layout 1: id, key, value, label, version, time. */
public final class PredictionSerializer extends FormatSerializer<Prediction> {
  /** The only instance of the newest layout. */
  public static final PredictionSerializer INSTANCE = new PredictionSerializer();

  /** Flink's type information. */
  public static final TypeInformation<Prediction> TYPE = INSTANCE.type(Prediction.class);

  private static final long serialVersionUID = 1;

  private PredictionSerializer() {
    super(1);
  }

  @Override
  public void serialize(Prediction value, DataOutputView out) throws IOException {
    Wire.text(value.id(), out);
    Wire.text(value.key(), out);
    out.writeDouble(value.value());
    out.writeDouble(value.label());
    out.writeLong(value.version());
    out.writeLong(value.time());
  }

  @Override
  public Prediction deserialize(DataInputView in) throws IOException {
    return new Prediction(
        Wire.text(in),
        Wire.text(in),
        in.readDouble(),
        in.readDouble(),
        in.readLong(),
        in.readLong());
  }

  @Override
  public TypeSerializerSnapshot<Prediction> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<Prediction> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
