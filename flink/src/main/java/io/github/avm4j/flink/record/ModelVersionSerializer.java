// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link ModelVersion}. Layout 1: name, version, instances, file. Layout 2 adds the
 * lineage.
 */
public final class ModelVersionSerializer extends FormatSerializer<ModelVersion> {
  /** The only instance of the newest layout. */
  public static final ModelVersionSerializer INSTANCE = new ModelVersionSerializer(2);

  /** Flink's type information. */
  public static final TypeInformation<ModelVersion> TYPE = INSTANCE.type(ModelVersion.class);

  private static final long serialVersionUID = 1;

  private ModelVersionSerializer(int layout) {
    super(layout);
  }

  @Override
  FormatSerializer<ModelVersion> inLayout(int layout) {
    return new ModelVersionSerializer(layout);
  }

  @Override
  public void serialize(ModelVersion value, DataOutputView out) throws IOException {
    Wire.text(value.name(), out);
    out.writeLong(value.version());
    out.writeLong(value.instances());
    Wire.bytes(value.file(), out);
    if (layout() > 1) {
      Wire.text(value.lineage(), out);
    }
  }

  @Override
  public ModelVersion deserialize(DataInputView in) throws IOException {
    String name = Wire.text(in);
    long version = in.readLong();
    long instances = in.readLong();
    byte[] file = Wire.bytes(in);
    String lineage = layout() > 1 ? Wire.text(in) : Lineage.NONE;
    return new ModelVersion(name, lineage, version, instances, file);
  }

  @Override
  public TypeSerializerSnapshot<ModelVersion> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<ModelVersion> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
