// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.detector.Detector;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link Detector}, the keyed state of anomaly detection. Layout 1: length of the
 * detector's file, and that file in the format of docs/format.md. A restored detector continues as
 * if it had never stopped, bit for bit. Copying costs writing and reading the file, as that of
 * {@link EvaluatedLearnerSerializer} does.
 */
public final class DetectorSerializer extends FormatSerializer<Detector> {
  /** The only instance of the newest layout. */
  public static final DetectorSerializer INSTANCE = new DetectorSerializer();

  /** Flink's type information. */
  public static final TypeInformation<Detector> TYPE = INSTANCE.type(Detector.class);

  private static final long serialVersionUID = 1;

  private DetectorSerializer() {
    super(1);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public Detector copy(Detector from) {
    try {
      return Detector.fromBytes(from.toBytes());
    } catch (InvalidModelException e) {
      throw new UncheckedIOException("a detector cannot read what it wrote: a defect", e);
    }
  }

  @Override
  public void serialize(Detector value, DataOutputView out) throws IOException {
    Wire.bytes(value.toBytes(), out);
  }

  @Override
  public Detector deserialize(DataInputView in) throws IOException {
    return Detector.fromBytes(Wire.bytes(in));
  }

  @Override
  public TypeSerializerSnapshot<Detector> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<Detector> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
