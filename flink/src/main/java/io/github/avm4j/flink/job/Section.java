// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.config.SettingText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One map of the YAML file with its path. Every known key is read before {@link #end}, which
 * refuses the others: a misspelt key is an error, not a default.
 */
final class Section {
  private final String path;
  private final Map<String, Object> values;
  private final Set<String> asked = new TreeSet<>();

  private Section(String path, Map<String, Object> values) {
    this.path = path;
    this.values = values;
  }

  /** The section {@code value}, which must be a map. */
  static Section of(String path, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new ConfigException(
          (path.isEmpty() ? "the file" : path) + " must be a map of keys, was " + value);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.forEach(
        (key, inner) -> {
          if (inner != null) {
            values.put(String.valueOf(key), inner);
          }
        });
    return new Section(path, values);
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private @Nullable Object get(String key) {
    asked.add(key);
    return values.get(key);
  }

  boolean has(String key) {
    return get(key) != null;
  }

  /** The section of that name; empty if it is not there. */
  Section section(String key) {
    Object value = get(key);
    return of(at(key), value == null ? Map.of() : value);
  }

  ConfigException wrong(String key, String expected) {
    return new ConfigException(at(key) + " must be " + expected + ", was " + values.get(key));
  }

  @Nullable String text(String key) {
    Object value = get(key);
    if (value instanceof Map || value instanceof List) {
      throw wrong(key, "a text");
    }
    return value == null ? null : value.toString();
  }

  String text(String key, String otherwise) {
    String value = text(key);
    return value == null ? otherwise : value;
  }

  String required(String key) {
    String value = text(key);
    if (value == null || value.isBlank()) {
      throw new ConfigException(at(key) + " is missing");
    }
    return value;
  }

  /** One of {@code choices}; the first if it is not there. */
  String choice(String key, String... choices) {
    String value = text(key, choices[0]);
    if (!List.of(choices).contains(value)) {
      throw wrong(key, "one of " + String.join(", ", choices));
    }
    return value;
  }

  long whole(String key, long otherwise, long least, long most) {
    Object value = get(key);
    if (value == null) {
      return otherwise;
    }
    if (!(value instanceof Integer || value instanceof Long)
        || ((Number) value).longValue() < least
        || ((Number) value).longValue() > most) {
      throw wrong(key, "a whole number in " + least + ".." + most);
    }
    return ((Number) value).longValue();
  }

  @Nullable Double number(String key) {
    Object value = get(key);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Number number) || !Double.isFinite(number.doubleValue())) {
      throw wrong(key, "a number");
    }
    return number.doubleValue();
  }

  boolean flag(String key, boolean otherwise) {
    Object value = get(key);
    if (value == null) {
      return otherwise;
    }
    if (!(value instanceof Boolean flag)) {
      throw wrong(key, "true or false");
    }
    return flag;
  }

  /** As all settings write them: {@code 10s}, {@code 5m}, {@code 7d}. */
  Duration duration(String key, Duration otherwise) {
    String value = text(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return SettingText.duration(value);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(at(key) + " " + e.getMessage(), e);
    }
  }

  List<String> texts(String key) {
    Object value = get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw wrong(key, "a list");
    }
    List<String> texts = new ArrayList<>();
    for (Object one : list) {
      if (one == null || one instanceof Map || one instanceof List) {
        throw wrong(key, "a list of texts");
      }
      texts.add(one.toString());
    }
    return List.copyOf(texts);
  }

  /** All keys with their values as text; for options of Flink and Kafka. */
  Map<String, String> rest() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String key : values.keySet()) {
      if (!asked.contains(key)) {
        String value = text(key);
        all.put(key, value == null ? "" : value);
      }
    }
    return all;
  }

  /** All keys and values, as they are. */
  Map<String, Object> entries() {
    asked.addAll(values.keySet());
    return values;
  }

  /** Refuses unknown keys. */
  void end() {
    for (String key : values.keySet()) {
      if (!asked.contains(key)) {
        throw new ConfigException(
            "unknown key " + at(key) + "; the keys here are " + String.join(", ", asked));
      }
    }
  }
}
