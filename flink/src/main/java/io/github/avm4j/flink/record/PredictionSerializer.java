// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Serializer of {@link Prediction}. Layout 1: id, key, value, label, version, time. Layout 2 adds
 * the range: 0 if there is none, else its length plus 1, then its numbers. Layout 3 adds whether a
 * label is wanted: 0 if nobody decides, 1 if not, 2 if so.
 */
public final class PredictionSerializer extends FormatSerializer<Prediction> {
  /** The only instance of the newest layout. */
  public static final PredictionSerializer INSTANCE = new PredictionSerializer(3);

  /** Flink's type information. */
  public static final TypeInformation<Prediction> TYPE = INSTANCE.type(Prediction.class);

  private static final long serialVersionUID = 1;

  private static final int LARGEST_RANGE = 1 << 20;

  private PredictionSerializer(int layout) {
    super(layout);
  }

  @Override
  FormatSerializer<Prediction> inLayout(int layout) {
    return new PredictionSerializer(layout);
  }

  @Override
  public void serialize(Prediction value, DataOutputView out) throws IOException {
    Wire.text(value.id(), out);
    Wire.text(value.key(), out);
    out.writeDouble(value.value());
    out.writeDouble(value.label());
    out.writeLong(value.version());
    out.writeLong(value.time());
    if (layout() > 1) {
      List<Double> range = value.range();
      out.writeInt(range == null ? 0 : range.size() + 1);
      for (int k = 0; range != null && k < range.size(); k++) {
        out.writeDouble(range.get(k));
      }
    }
    if (layout() > 2) {
      Boolean wanted = value.wantsLabel();
      out.writeByte(wanted == null ? 0 : wanted ? 2 : 1);
    }
  }

  @Override
  public Prediction deserialize(DataInputView in) throws IOException {
    return new Prediction(
        Wire.text(in),
        Wire.text(in),
        in.readDouble(),
        in.readDouble(),
        in.readLong(),
        in.readLong(),
        layout() > 1 ? range(in) : null,
        layout() > 2 ? wanted(in) : null);
  }

  private static @Nullable Boolean wanted(DataInputView in) throws IOException {
    byte mark = in.readByte();
    return switch (mark) {
      case 0 -> null;
      case 1 -> Boolean.FALSE;
      case 2 -> Boolean.TRUE;
      default -> throw new IOException("the mark of a prediction is 0, 1 or 2, was " + mark);
    };
  }

  private static @Nullable List<Double> range(DataInputView in) throws IOException {
    int count = Wire.count(in, LARGEST_RANGE, "numbers of a range");
    if (count == 0) {
      return null;
    }
    List<Double> range = new ArrayList<>();
    for (int k = 1; k < count; k++) {
      range.add(in.readDouble());
    }
    return range;
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
