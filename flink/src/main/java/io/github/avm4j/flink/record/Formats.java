// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * The formats of all that flows or is state. Learners and detectors are their files
 * (docs/format.md) behind their counts: restored, they continue as if they had never stopped, bit
 * for bit.
 *
 * <p>Who changes the layout of a state raises the version of {@link WireFormat} and goes on reading
 * the one before, or a job that is resumed loses it.
 */
public final class Formats {
  /** Of {@link RawRecord}. */
  public static final WireFormat<RawRecord> RAW_RECORD =
      new WireFormat<>(
          RawRecord.class,
          false,
          (value, out) -> {
            Wire.text(value.source(), out);
            out.writeLong(value.offset());
            Wire.bytes(value.key(), out);
            Wire.bytes(value.value(), out);
            out.writeLong(value.time());
          },
          in ->
              new RawRecord(
                  Wire.text(in), in.readLong(), Wire.bytes(in), Wire.bytes(in), in.readLong()));

  /** Of {@link BadRecord}. */
  public static final WireFormat<BadRecord> BAD_RECORD =
      new WireFormat<>(
          BadRecord.class,
          false,
          (value, out) -> {
            RAW_RECORD.serialize(value.record(), out);
            Wire.text(value.reason(), out);
            out.writeDouble(value.label());
          },
          in -> new BadRecord(RAW_RECORD.deserialize(in), Wire.text(in), in.readDouble()));

  /** Of {@link Example}, with the record it was read from if that is known. */
  public static final WireFormat<Example> EXAMPLE =
      new WireFormat<>(Example.class, false, Formats::writeExample, Formats::readExample);

  /** Of {@link Parsed}. */
  public static final WireFormat<Parsed> PARSED =
      new WireFormat<>(Parsed.class, false, Formats::writeParsed, Formats::readParsed);

  /** Of {@link RoutedExample}. */
  public static final WireFormat<RoutedExample> ROUTED_EXAMPLE =
      new WireFormat<>(
          RoutedExample.class,
          false,
          (value, out) -> {
            out.writeInt(value.cell());
            EXAMPLE.serialize(value.example(), out);
          },
          in -> new RoutedExample(in.readInt(), EXAMPLE.deserialize(in)));

  /** Of {@link Prediction}. */
  public static final WireFormat<Prediction> PREDICTION =
      new WireFormat<>(Prediction.class, false, Formats::writePrediction, Formats::readPrediction);

  /** Of {@link Detection}. */
  public static final WireFormat<Detection> DETECTION =
      new WireFormat<>(Detection.class, false, Formats::writeDetection, Formats::readDetection);

  /** Of {@link WindowScore}. */
  public static final WireFormat<WindowScore> WINDOW_SCORE =
      new WireFormat<>(
          WindowScore.class,
          false,
          (value, out) -> {
            out.writeInt(value.cell());
            out.writeLong(value.instances());
            out.writeDouble(value.loss());
            out.writeLong(value.windowInstances());
            out.writeDouble(value.windowLoss());
            out.writeInt(value.size());
            out.writeLong(value.time());
          },
          in ->
              new WindowScore(
                  in.readInt(),
                  in.readLong(),
                  in.readDouble(),
                  in.readLong(),
                  in.readDouble(),
                  in.readInt(),
                  in.readLong()));

  /** Of {@link ModelVersion}. */
  public static final WireFormat<ModelVersion> MODEL_VERSION =
      new WireFormat<>(
          ModelVersion.class,
          false,
          (value, out) -> {
            Wire.text(value.name(), out);
            Wire.text(value.lineage(), out);
            out.writeLong(value.version());
            out.writeLong(value.instances());
            Wire.bytes(value.file(), out);
          },
          in ->
              new ModelVersion(
                  Wire.text(in), Wire.text(in), in.readLong(), in.readLong(), Wire.bytes(in)));

  /** Of {@link CellUpdate}. */
  public static final WireFormat<CellUpdate> CELL_UPDATE =
      new WireFormat<>(
          CellUpdate.class,
          false,
          (value, out) -> {
            out.writeInt(value.cell());
            out.writeLong(value.instances());
            Wire.bytes(value.model(), out);
          },
          in -> new CellUpdate(in.readInt(), in.readLong(), Wire.bytes(in)));

  /** Of {@link EvaluatedLearner}. */
  public static final WireFormat<EvaluatedLearner> EVALUATED_LEARNER =
      new WireFormat<>(
          EvaluatedLearner.class,
          true,
          (value, out) -> {
            value.tally().write(out);
            Wire.numbers(value.fills(), out);
            Wire.bytes(value.learner().toBytes(), out);
          },
          in -> {
            Tally tally = Tally.read(in);
            double[] fills = Wire.numbers(in);
            return new EvaluatedLearner(Learner.fromBytes(Wire.bytes(in)), tally, fills);
          });

  /** Of {@link EvaluatedRows}. */
  public static final WireFormat<EvaluatedRows> EVALUATED_ROWS =
      new WireFormat<>(
          EvaluatedRows.class,
          true,
          (value, out) -> {
            value.tally().write(out);
            Wire.bytes(value.rows().toBytes(), out);
          },
          in -> {
            Tally tally = Tally.read(in);
            return new EvaluatedRows(RowLearner.read(Wire.bytes(in)), tally);
          });

  /** Of {@link EvaluatedCell}. */
  public static final WireFormat<EvaluatedCell> EVALUATED_CELL =
      new WireFormat<>(EvaluatedCell.class, true, Formats::writeCell, Formats::readCell);

  /** Of {@link Detector}, the state of anomaly detection. */
  public static final WireFormat<Detector> DETECTOR =
      new WireFormat<>(
          Detector.class,
          true,
          (value, out) -> Wire.bytes(value.toBytes(), out),
          in -> Detector.fromBytes(Wire.bytes(in)));

  /** All of them. */
  static final List<WireFormat<?>> ALL =
      List.of(
          RAW_RECORD,
          BAD_RECORD,
          EXAMPLE,
          PARSED,
          ROUTED_EXAMPLE,
          PREDICTION,
          DETECTION,
          WINDOW_SCORE,
          MODEL_VERSION,
          CELL_UPDATE,
          EVALUATED_LEARNER,
          EVALUATED_ROWS,
          EVALUATED_CELL,
          DETECTOR);

  private static final int LARGEST_RANGE = 1 << 20;

  private Formats() {}

  /** The format of the class of this name. */
  static WireFormat<?> named(String name) throws IOException {
    for (WireFormat<?> format : ALL) {
      if (format.name().equals(name)) {
        return format;
      }
    }
    throw new IOException("the state holds " + name + ", which this avm4j does not know");
  }

  private static void writeExample(Example value, DataOutputView out) throws IOException {
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
    RawRecord origin = value.origin();
    out.writeBoolean(origin != null);
    if (origin != null) {
      RAW_RECORD.serialize(origin, out);
    }
  }

  private static Example readExample(DataInputView in) throws IOException {
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
    RawRecord origin = in.readBoolean() ? RAW_RECORD.deserialize(in) : null;
    return new Example(id, key, x, y, weight, time, origin);
  }

  private static void writeParsed(Parsed value, DataOutputView out) throws IOException {
    Example example = value.example();
    BadRecord bad = value.bad();
    out.writeBoolean(example != null);
    if (example != null) {
      EXAMPLE.serialize(example, out);
    }
    out.writeBoolean(bad != null);
    if (bad != null) {
      BAD_RECORD.serialize(bad, out);
    }
    out.writeInt(value.unusable().size());
    for (int column : value.unusable()) {
      out.writeInt(column);
    }
  }

  private static Parsed readParsed(DataInputView in) throws IOException {
    Example example = in.readBoolean() ? EXAMPLE.deserialize(in) : null;
    BadRecord bad = in.readBoolean() ? BAD_RECORD.deserialize(in) : null;
    int count = Wire.count(in, LearnerConfig.MAX_FEATURES, "unusable cells");
    List<Integer> unusable = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      unusable.add(in.readInt());
    }
    return new Parsed(example, bad, unusable);
  }

  /** The length of the range plus 1, 0 for none; whether a label is wanted, 0 if nobody decides. */
  private static void writePrediction(Prediction value, DataOutputView out) throws IOException {
    Wire.text(value.id(), out);
    Wire.text(value.key(), out);
    out.writeDouble(value.value());
    out.writeDouble(value.label());
    out.writeLong(value.version());
    out.writeLong(value.time());
    List<Double> range = value.range();
    out.writeInt(range == null ? 0 : range.size() + 1);
    for (int k = 0; range != null && k < range.size(); k++) {
      out.writeDouble(range.get(k));
    }
    Boolean wanted = value.wantsLabel();
    out.writeByte(wanted == null ? 0 : wanted ? 2 : 1);
  }

  private static Prediction readPrediction(DataInputView in) throws IOException {
    return new Prediction(
        Wire.text(in),
        Wire.text(in),
        in.readDouble(),
        in.readDouble(),
        in.readLong(),
        in.readLong(),
        range(in),
        wanted(in));
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

  private static void writeDetection(Detection value, DataOutputView out) throws IOException {
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

  private static Detection readDetection(DataInputView in) throws IOException {
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
    return new Detection(id, key, pValue, score, alarm, features, time);
  }

  private static void writeCell(EvaluatedCell value, DataOutputView out) throws IOException {
    value.tally().write(out);
    out.writeLong(value.published());
    Wire.bytes(value.file(), out);
  }

  private static EvaluatedCell readCell(DataInputView in) throws IOException {
    Tally tally = Tally.read(in);
    long published = in.readLong();
    if (published < 0 || published > tally.instances()) {
      throw new IOException("a cell was published after more instances than it has learned from");
    }
    return new EvaluatedCell(Wire.bytes(in), tally, published);
  }
}
