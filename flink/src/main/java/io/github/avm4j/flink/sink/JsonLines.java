// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.config.Task;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes predictions, detections and scores as JSON, one object each. */
final class JsonLines {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonLines() {}

  /**
   * {@code {"id":"7","key":"a","prediction":"UP","label":"DOWN","version":5000,"time":…}}. Of a
   * regression the truth is {@code "target"}, and both are numbers; a prediction before anything
   * was learned is null there. Where they are asked for, {@code "interval":[1.5,null]}, null for an
   * infinite end, or {@code "set":["UP"]}. Where labels are asked for, {@code "wants_label":true}
   * or false.
   */
  static byte[] prediction(Prediction prediction, RowModel names) {
    return object(
        json -> {
          json.writeStringField("id", prediction.id());
          json.writeStringField("key", prediction.key());
          value(json, "prediction", prediction.value(), names);
          if (!Double.isNaN(prediction.label())) {
            value(json, isClasses(names) ? "label" : "target", prediction.label(), names);
          }
          range(json, prediction.range(), names);
          Boolean wanted = prediction.wantsLabel();
          if (wanted != null) {
            json.writeBooleanField("wants_label", wanted);
          }
          json.writeNumberField("version", prediction.version());
          json.writeNumberField("time", prediction.time());
        });
  }

  /**
   * {@code
   * {"id":"7","key":"a","p_value":0.0005,"score":7.53,"alarm":true,"features":[…],"time":…}}.
   * Features are those that an alarm is due to, as {@code
   * {"feature":"heat","value":99.0,"contribution":5.7,"share":0.9}}. Expected values tell of other
   * rows and are left out, as neighbours are.
   */
  static byte[] detection(Detection detection, Schema schema) {
    return object(
        json -> {
          json.writeStringField("id", detection.id());
          json.writeStringField("key", detection.key());
          json.writeNumberField("p_value", detection.pValue());
          json.writeNumberField("score", detection.score());
          json.writeBooleanField("alarm", detection.alarm());
          if (detection.alarm()) {
            json.writeArrayFieldStart("features");
            for (AnomalyExplanation.Feature feature : detection.features()) {
              json.writeStartObject();
              json.writeStringField("feature", schema.featureName(feature.index()));
              json.writeFieldName("value");
              number(json, schema.original(feature.index(), feature.value()));
              json.writeNumberField("contribution", feature.contribution());
              json.writeNumberField("share", feature.share());
              json.writeEndObject();
            }
            json.writeEndArray();
          }
          json.writeNumberField("time", detection.time());
        });
  }

  /** {@code {"instances":5000,"error":0.21,"window":1000,"window_error":0.19,…}}. */
  static byte[] score(WindowScore score) {
    return object(
        json -> {
          json.writeNumberField("instances", score.instances());
          json.writeNumberField("error", score.loss() / score.instances());
          json.writeNumberField("window", score.windowInstances());
          json.writeNumberField("window_error", score.windowLoss() / score.windowInstances());
          json.writeNumberField("core_points", score.size());
          json.writeNumberField("time", score.time());
        });
  }

  private static boolean isClasses(RowModel names) {
    return names.model().task() == Task.CLASSIFICATION;
  }

  private static void value(JsonGenerator json, String field, double value, RowModel names)
      throws IOException {
    if (isClasses(names)) {
      json.writeStringField(field, names.name(value));
    } else {
      json.writeFieldName(field);
      number(json, value);
    }
  }

  private static void range(JsonGenerator json, @Nullable List<Double> range, RowModel names)
      throws IOException {
    if (range == null) {
      return;
    }
    boolean classes = isClasses(names);
    json.writeArrayFieldStart(classes ? "set" : "interval");
    for (double one : range) {
      if (classes) {
        json.writeString(names.name(one));
      } else {
        number(json, one);
      }
    }
    json.writeEndArray();
  }

  /** JSON has neither infinity nor NaN. */
  private static void number(JsonGenerator json, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(value);
    } else {
      json.writeNull();
    }
  }

  /** Writes the fields of one object. */
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private static byte[] object(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
