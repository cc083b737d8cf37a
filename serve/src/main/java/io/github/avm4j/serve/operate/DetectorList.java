// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.serve.models.DetectorTally;
import io.github.avm4j.serve.models.Detectors;
import io.github.avm4j.serve.models.ServedDetector;
import io.github.avm4j.serve.models.Shelf;
import java.io.IOException;

/** The part of {@code GET /v1/models} that tells of detectors. */
final class DetectorList {
  private DetectorList() {}

  static void write(JsonGenerator json, Detectors detectors) throws IOException {
    json.writeArrayFieldStart("detectors");
    for (ServedDetector detector : detectors.all()) {
      json.writeStartObject();
      write(json, detector);
      Shelf.Refusal refused = detectors.refused(detector.name());
      if (refused != null) {
        ModelList.write(json, refused);
      }
      ModelList.writeColumns(json, detector.rows().schema());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, ServedDetector detector) throws IOException {
    json.writeStringField("name", detector.name());
    json.writeStringField("version", Long.toString(detector.number()));
    json.writeStringField("lineage", detector.lineage());
    json.writeStringField("digest", detector.digest());
    json.writeStringField("source", detector.source());
    json.writeStringField("made", detector.made().toString());
    json.writeStringField("loaded", detector.loaded().toString());
    json.writeNumberField("bytes", detector.bytes());
    json.writeNumberField("alarm_level", detector.config().alarm());
    json.writeNumberField("core_points", detector.size());
    json.writeNumberField("features", detector.encoding().dimension());
    json.writeNumberField("instances", detector.instances());
    json.writeBooleanField("learns", detector.learns());
    DetectorTally tally = detector.tally();
    json.writeNumberField("judged", tally.rows());
    json.writeNumberField("alarms", tally.alarms());
  }
}
