// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Collection;

/** JSON trees and their text. */
public final class JsonText {
  private JsonText() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  public static ArrayNode array(Collection<String> texts) {
    ArrayNode array = array();
    texts.forEach(array::add);
    return array;
  }

  /** Tree in one line. */
  public static String line(JsonNode node) {
    return node.toString();
  }

  /** Tree as indented text. */
  public static String text(JsonNode node) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
