// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.ServedModel;
import io.github.avm4j.serve.predict.Models;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/models/NAME/version}: rolls back to a version and stays there ({@code {"version":
 * 41}}), or follows the newest again ({@code {"version": "newest"}}).
 */
public final class ChooseVersion implements Endpoint.Immediate {
  private static final String NEWEST = "newest";
  private static final String FORM = "{\"version\": NUMBER} or {\"version\": \"newest\"}";

  private final ModelRepository repository;
  private final Audit audit;

  /** Changes versions of that repository; {@code audit} logs each. */
  public ChooseVersion(ModelRepository repository, Audit audit) {
    this.repository = repository;
    this.audit = audit;
  }

  @Override
  public String form() {
    return FORM;
  }

  @Override
  public Reply reply(Call call) {
    String caller = call.require(Permission.OPERATE);
    String text = Json.read(call.body(), 0, call.body().length, ChooseVersion::version);
    Long version = text.equals(NEWEST) ? null : Long.valueOf(Models.number(text));
    ServedModel now = pin(call.path("name"), version);
    audit.changed(
        call.context(),
        "choose_version",
        caller,
        "model",
        now.name(),
        "version",
        now.number(),
        "pinned",
        version != null);
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("model", now.name());
          json.writeStringField("version", now.version());
          json.writeBooleanField("pinned", version != null);
          json.writeEndObject();
        });
  }

  private ServedModel pin(String name, @Nullable Long version) {
    try {
      return repository.pin(name, version);
    } catch (NoSuchElementException e) {
      throw Problem.notFound(String.valueOf(e.getMessage()));
    }
  }

  private static String version(com.fasterxml.jackson.core.JsonParser parser)
      throws java.io.IOException {
    Json.expect(parser, JsonToken.START_OBJECT, FORM);
    String version = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (!name.equals("version") || !parser.nextToken().isScalarValue()) {
        throw Problem.badRequest("send " + FORM);
      }
      version = parser.getText();
    }
    if (!version.equals(NEWEST) && Models.number(version) < 0) {
      throw Problem.badRequest("version must be a number or \"newest\"");
    }
    return version;
  }
}
