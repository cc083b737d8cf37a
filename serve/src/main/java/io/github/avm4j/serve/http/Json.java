// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** JSON from and to the network: read as a stream of tokens, with limits on each of them. */
public final class Json {
  static final int DEPTH = 16;
  static final int NUMBER = 100;
  static final int NAME = 1_000;
  static final int TEXT = 100_000;

  private static final JsonFactory FACTORY = factory(false);
  private static final JsonFactory STRICT = factory(true);

  private static JsonFactory factory(boolean findsDuplicates) {
    return new JsonFactoryBuilder()
        .disable(JsonFactory.Feature.CHARSET_DETECTION) // it is UTF-8
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // costly where each name is a new one
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxNumberLength(NUMBER)
                .maxNameLength(NAME)
                .maxStringLength(TEXT)
                .build())
        .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
        .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, findsDuplicates)
        .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
        .build();
  }

  private Json() {}

  /** Reads a document. */
  public interface Reader<T> {
    /** Called with the first token as the parser's current one. */
    T read(JsonParser parser) throws IOException;
  }

  /** Writes a document. */
  public interface Writer {
    /** Called with nothing written. */
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * What {@code reader} makes of the one JSON value in these bytes.
   *
   * @throws Problem if they are not one JSON value within the limits
   */
  public static <T> T read(byte[] bytes, int offset, int length, Reader<T> reader) {
    return read(STRICT, bytes, offset, length, reader);
  }

  /** The same for a reader that finds names that come twice itself, at less cost. */
  public static <T> T readRows(byte[] bytes, Reader<T> reader) {
    return read(FACTORY, bytes, 0, bytes.length, reader);
  }

  private static <T> T read(
      JsonFactory factory, byte[] bytes, int offset, int length, Reader<T> reader) {
    try (JsonParser parser = factory.createParser(bytes, offset, length)) {
      if (parser.nextToken() == null) {
        throw Problem.badRequest("the body is empty; it must be JSON");
      }
      T value = reader.read(parser);
      if (parser.nextToken() != null) {
        throw Problem.badRequest("there is more after the JSON value" + place(parser));
      }
      return value;
    } catch (JsonProcessingException e) {
      throw Problem.badRequest(NotJson.words(e) + place(e));
    } catch (IOException e) {
      // The bytes are here: what cannot be read is wrong in itself.
      throw Problem.badRequest("not JSON in UTF-8");
    }
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null ? "" : " near " + place(e.getLocation());
  }

  /** Where the parser is, for messages. */
  public static String place(JsonParser parser) {
    return " at " + place(parser.currentTokenLocation());
  }

  private static String place(JsonLocation at) {
    return "line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  /** Moves on and demands a value of that kind. */
  public static void expect(JsonParser parser, JsonToken token, String what) {
    if (parser.currentToken() != token) {
      throw Problem.badRequest(what + " is expected" + place(parser));
    }
  }

  /** The document that {@code writer} writes, in UTF-8. */
  public static byte[] write(Writer writer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      writer.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** {@code {"error": …}}, as the protocol has it. */
  public static byte[] error(String message) {
    return write(
        json -> {
          json.writeStartObject();
          json.writeStringField("error", message);
          json.writeEndObject();
        });
  }
}
