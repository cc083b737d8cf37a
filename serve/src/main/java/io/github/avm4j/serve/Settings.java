// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The values of all settings: flags before the environment before the file before the usual. */
public final class Settings {
  private final Map<Setting, String> values = new EnumMap<>(Setting.class);
  private final List<Path> models = new ArrayList<>();

  private Settings() {}

  /**
   * Reads flags {@code --key value} or {@code --key=value}; whatever is no flag is a model or a
   * folder of models.
   *
   * @throws IllegalArgumentException naming what is wrong and where
   * @throws IOException if the configuration file cannot be read
   */
  public static Settings read(List<String> arguments, Map<String, String> environment)
      throws IOException {
    Settings settings = new Settings();
    Map<Setting, String> flags = settings.flags(arguments);
    Map<Setting, String> variables = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      String value = environment.get(setting.variable());
      if (value != null) {
        variables.put(setting, value);
      }
    }
    String file = flags.getOrDefault(Setting.CONFIG, variables.getOrDefault(Setting.CONFIG, ""));
    if (!file.isEmpty()) {
      settings.values.putAll(file(Path.of(file)));
    }
    settings.values.putAll(variables);
    settings.values.putAll(flags);
    return settings;
  }

  private Map<Setting, String> flags(List<String> arguments) {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    for (int k = 0; k < arguments.size(); k++) {
      String argument = arguments.get(k);
      if (!argument.startsWith("--")) {
        models.add(Path.of(argument));
        continue;
      }
      int equals = argument.indexOf('=');
      Setting setting =
          Setting.of(argument.substring(2, equals < 0 ? argument.length() : equals), argument);
      if (equals < 0 && k + 1 == arguments.size()) {
        throw new IllegalArgumentException(argument + " needs a value: " + setting.form());
      }
      flags.put(setting, equals < 0 ? arguments.get(++k) : argument.substring(equals + 1));
    }
    return flags;
  }

  private static Map<Setting, String> file(Path file) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      lines.load(reader);
    }
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    for (String key : lines.stringPropertyNames()) {
      values.put(Setting.of(key, file.toString()), lines.getProperty(key).strip());
    }
    return values;
  }

  /** Files and folders of models, as given. */
  public List<Path> models() {
    return List.copyOf(models);
  }

  /** A value, empty for none. */
  public String text(Setting setting) {
    return values.getOrDefault(setting, setting.usual());
  }

  /** A value as a file's path; null for none. */
  public @Nullable Path path(Setting setting) {
    String text = text(setting);
    return text.isEmpty() ? null : Path.of(text);
  }

  /** A value as a whole number within bounds. */
  public int number(Setting setting, int least, int most) {
    String text = text(setting);
    int value = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          setting.key() + " must be a whole number in " + least + ".." + most + ", was " + text);
    }
    return value;
  }
}
