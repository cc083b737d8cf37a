// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.detector.AnomalyExplanation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link Verdict}. Layout 1: id, key, p-value, score, alarm, time, number of
 * features, and of each index, value, expected value, contribution, share.
 */
public final class VerdictSerializer extends FormatSerializer<Verdict> {
  /** The only instance of the newest layout. */
  public static final VerdictSerializer INSTANCE = new VerdictSerializer();

  /** Flink's type information. */
  public static final TypeInformation<Verdict> TYPE = INSTANCE.type(Verdict.class);

  private static final long serialVersionUID = 1;

  private VerdictSerializer() {
    super(1);
  }

  @Override
  public void serialize(Verdict value, DataOutputView out) throws IOException {
    Wire.text(value.id(), out);
    Wire.text(value.key(), out);
    out.writeDouble(value.pValue());
    out.writeDouble(value.score());
    out.writeBoolean(value.alarm());
    out.writeLong(value.time());
    out.writeInt(value.features().size());
    for (AnomalyExplanation.Feature feature : value.features()) {
      out.writeInt(feature.index());
      out.writeDouble(feature.value());
      out.writeDouble(feature.expected());
      out.writeDouble(feature.contribution());
      out.writeDouble(feature.share());
    }
  }

  @Override
  public Verdict deserialize(DataInputView in) throws IOException {
    String id = Wire.text(in);
    String key = Wire.text(in);
    double pValue = in.readDouble();
    double score = in.readDouble();
    boolean alarm = in.readBoolean();
    long time = in.readLong();
    int count = Wire.count(in, LearnerConfig.MAX_FEATURES, "features");
    List<AnomalyExplanation.Feature> features = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      features.add(
          new AnomalyExplanation.Feature(
              Wire.count(in, LearnerConfig.MAX_FEATURES, "the index of a feature"),
              in.readDouble(),
              in.readDouble(),
              in.readDouble(),
              in.readDouble()));
    }
    return new Verdict(id, key, pValue, score, alarm, features, time);
  }

  @Override
  public TypeSerializerSnapshot<Verdict> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<Verdict> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
