// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link Example}. Layout 1: id, key, y, weight, time, whether sparse, count, indices
 * if sparse, values. Layout 2 adds whether the record it was read from follows, and that record.
 */
public final class ExampleSerializer extends FormatSerializer<Example> {
  /** The only instance of the newest layout. */
  public static final ExampleSerializer INSTANCE = new ExampleSerializer(2);

  /** Flink's type information. */
  public static final TypeInformation<Example> TYPE = INSTANCE.type(Example.class);

  private static final long serialVersionUID = 1;

  private ExampleSerializer(int layout) {
    super(layout);
  }

  @Override
  FormatSerializer<Example> inLayout(int layout) {
    return new ExampleSerializer(layout);
  }

  @Override
  public void serialize(Example value, DataOutputView out) throws IOException {
    Wire.text(value.id(), out);
    Wire.text(value.key(), out);
    out.writeDouble(value.y());
    out.writeDouble(value.weight());
    out.writeLong(value.time());
    FeatureVector x = value.x();
    out.writeBoolean(x.isSparse());
    out.writeInt(x.count());
    for (int k = 0; x.isSparse() && k < x.count(); k++) {
      out.writeInt(x.indices()[k]);
    }
    for (int k = 0; k < x.count(); k++) {
      out.writeDouble(x.values()[k]);
    }
    if (layout() > 1) {
      RawRecord origin = value.origin();
      out.writeBoolean(origin != null);
      if (origin != null) {
        RawRecordSerializer.INSTANCE.serialize(origin, out);
      }
    }
  }

  @Override
  public Example deserialize(DataInputView in) throws IOException {
    String id = Wire.text(in);
    String key = Wire.text(in);
    double y = in.readDouble();
    double weight = in.readDouble();
    long time = in.readLong();
    boolean sparse = in.readBoolean();
    int count = Wire.count(in, LearnerConfig.MAX_FEATURES, "features");
    int[] indices = new int[sparse ? count : 0];
    for (int k = 0; k < indices.length; k++) {
      indices[k] = in.readInt();
    }
    double[] values = new double[count];
    for (int k = 0; k < count; k++) {
      values[k] = in.readDouble();
    }
    FeatureVector x = sparse ? FeatureVector.sparse(indices, values) : FeatureVector.dense(values);
    boolean known = layout() > 1 && in.readBoolean();
    RawRecord origin = known ? RawRecordSerializer.INSTANCE.deserialize(in) : null;
    return new Example(id, key, x, y, weight, time, origin);
  }

  @Override
  public TypeSerializerSnapshot<Example> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<Example> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
