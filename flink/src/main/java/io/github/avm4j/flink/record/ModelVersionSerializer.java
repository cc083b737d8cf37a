// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Layout 1: name, version, instances, file. */
public final class ModelVersionSerializer extends FormatSerializer<ModelVersion> {
  /** The one there is. */
  public static final ModelVersionSerializer INSTANCE = new ModelVersionSerializer();

  /** The type. */
  public static final TypeInformation<ModelVersion> TYPE = INSTANCE.type(ModelVersion.class);

  private static final long serialVersionUID = 1;

  private ModelVersionSerializer() {}

  @Override
  public void serialize(ModelVersion value, DataOutputView out) throws IOException {
    Wire.text(value.name(), out);
    out.writeLong(value.version());
    out.writeLong(value.instances());
    Wire.bytes(value.file(), out);
  }

  @Override
  public ModelVersion deserialize(DataInputView in) throws IOException {
    return new ModelVersion(Wire.text(in), in.readLong(), in.readLong(), Wire.bytes(in));
  }

  @Override
  public TypeSerializerSnapshot<ModelVersion> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Remembers the layout. */
  public static final class Snapshot extends FormatSnapshot<ModelVersion> {
    /** Made by Flink. */
    public Snapshot() {
      super(INSTANCE, 1);
    }
  }
}
