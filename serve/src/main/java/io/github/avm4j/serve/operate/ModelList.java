// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.follow.Follower;
import io.github.avm4j.model.Model;
import io.github.avm4j.serve.feedback.FeedbackErrors;
import io.github.avm4j.serve.feedback.FeedbackEvaluation;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.learn.Learn;
import io.github.avm4j.serve.learn.LearnCurve;
import io.github.avm4j.serve.learn.LearnThread;
import io.github.avm4j.serve.learn.Learning;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.ServedModel;
import io.github.avm4j.serve.models.Shelf;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/models}: models, detectors, versions, sources and feedback, for the page. */
public final class ModelList implements Endpoint.Immediate {
  private static final int SHOWN_CATEGORIES = 100;

  private final ModelRepository repository;
  private final FeedbackEvaluation evaluation;
  private final List<Follower> sources;
  private final @Nullable LearnThread learning;

  /** Lists a repository, its sources, the errors of its predictions, and what is learned here. */
  public ModelList(
      ModelRepository repository,
      List<Follower> sources,
      FeedbackEvaluation evaluation,
      @Nullable LearnThread learning) {
    this.learning = learning;
    this.repository = repository;
    this.evaluation = evaluation;
    this.sources = List.copyOf(sources);
  }

  @Override
  public Reply reply(Call call) {
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("sources");
          for (Follower source : sources) {
            json.writeStartObject();
            json.writeStringField("name", source.name());
            json.writeStringField("problem", source.problem());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeArrayFieldStart("models");
          for (Shelf shelf : repository.shelves()) {
            json.writeStartObject();
            write(json, shelf);
            write(json, evaluation.of(shelf.name()));
            json.writeEndObject();
          }
          json.writeEndArray();
          DetectorList.write(json, repository.detectors());
          if (learning != null) {
            write(json, learning);
          }
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, LearnThread learning) throws IOException {
    json.writeObjectFieldStart("learning");
    if (learning instanceof Learning rows) {
      writeRows(json, rows);
    }
    json.writeNumberField("queued", learning.queued());
    LearnThread.Health health = learning.health();
    json.writeNumberField("journal_bytes", health.journalBytes());
    if (health.savedMillis() > 0) {
      json.writeStringField("saved", Instant.ofEpochMilli(health.savedMillis()).toString());
    }
    if (!health.problem().isEmpty()) {
      json.writeStringField("problem", health.problem());
    }
    if (!health.notSaved().isEmpty()) {
      json.writeStringField("not_saved", health.notSaved());
    }
    json.writeEndObject();
  }

  private static void writeRows(JsonGenerator json, Learning learning) throws IOException {
    Learning.State state = learning.state();
    json.writeStringField("model", learning.name());
    json.writeNumberField("rows", state.rows());
    json.writeNumberField("rows_before", state.before());
    if (state.judged() > 0) {
      json.writeNumberField("error", state.error());
      json.writeNumberField("baseline", state.baseline());
    }
    Learn.writeInference(json, state);
    json.writeNumberField("waiting", learning.waiting().waiting());
    json.writeArrayFieldStart("curve");
    for (LearnCurve.Point point : state.curve()) {
      json.writeStartObject();
      json.writeNumberField("rows", point.rows());
      json.writeNumberField("error", point.error());
      json.writeNumberField("baseline", point.baseline());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Shelf shelf) throws IOException {
    json.writeStringField("name", shelf.name());
    ServedModel current = shelf.current();
    json.writeStringField("version", current == null ? null : current.version());
    json.writeBooleanField("pinned", shelf.pinned() != null);
    Shelf.Refusal refused = shelf.refused();
    if (refused != null) {
      write(json, refused);
    }
    json.writeArrayFieldStart("discarded");
    for (Shelf.Discarded one : shelf.discarded()) {
      json.writeStartObject();
      json.writeStringField("version", Long.toString(one.version()));
      json.writeStringField("lineage", one.lineage());
      json.writeStringField("source", one.source());
      json.writeStringField("reason", one.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("versions");
    for (ServedModel version : shelf.versions().values()) {
      write(json, version);
    }
    json.writeEndArray();
    if (current != null) {
      writeTarget(json, current);
      writeColumns(json, current.rows().schema());
    }
  }

  static void write(JsonGenerator json, Shelf.Refusal refused) throws IOException {
    json.writeObjectFieldStart("refused");
    json.writeStringField("source", refused.source());
    json.writeStringField("reason", refused.reason());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, @Nullable FeedbackErrors errors)
      throws IOException {
    if (errors == null) {
      return;
    }
    FeedbackErrors.Summary summary = errors.summary();
    json.writeObjectFieldStart("feedback");
    json.writeNumberField("judged", summary.judged());
    json.writeNumberField("error", summary.error());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, ServedModel version) throws IOException {
    Model model = version.rows().model();
    json.writeStartObject();
    json.writeStringField("version", version.version());
    json.writeStringField("lineage", version.lineage());
    json.writeStringField("digest", version.digest());
    json.writeStringField("source", version.source());
    json.writeStringField("made", version.made().toString());
    json.writeStringField("loaded", version.loaded().toString());
    json.writeNumberField("bytes", version.bytes());
    json.writeStringField("task", model.task().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("core_points", model.size());
    if (!model.levels().isEmpty()) {
      json.writeNumberField("cells", model.parts().size());
    }
    json.writeNumberField("features", model.dimension());
    json.writeNumberField("instances", model.provenance().instances());
    json.writeEndObject();
  }

  private static void writeTarget(JsonGenerator json, ServedModel model) throws IOException {
    json.writeStringField("target", model.rows().target());
    json.writeArrayFieldStart("classes");
    for (String name : model.rows().classNames()) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  static void writeColumns(JsonGenerator json, Schema schema) throws IOException {
    json.writeArrayFieldStart("columns");
    for (Column column : schema.columns()) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("kind", column.kind().name().toLowerCase(Locale.ROOT));
      json.writeArrayFieldStart("categories");
      for (String category :
          column.categories().subList(0, Math.min(SHOWN_CATEGORIES, column.categories().size()))) {
        json.writeString(category);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
