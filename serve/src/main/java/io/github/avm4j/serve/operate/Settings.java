// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import io.github.avm4j.config.SettingText;
import io.github.avm4j.serve.http.Hosts;
import io.github.avm4j.serve.http.Permission;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Values of all settings, checked: flags override the environment, which overrides the file, which
 * overrides the defaults. Error messages name the place where a wrong value was set.
 */
public final class Settings {
  private final Map<Setting, Given> values = new EnumMap<>(Setting.class);
  private final List<Path> models = new ArrayList<>();

  /** A value and its source: a flag, a variable, a file's line. */
  private record Given(String text, String source) {}

  private Settings() {}

  /**
   * Reads flags {@code --key value} or {@code --key=value}; whatever is no flag is a model or a
   * folder of models.
   *
   * @throws IllegalArgumentException naming what is wrong and where
   */
  public static Settings read(List<String> arguments, Map<String, String> environment) {
    Settings settings = new Settings();
    Map<Setting, Given> flags = settings.flags(arguments);
    Map<Setting, Given> variables = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      String value = environment.get(setting.variable());
      if (value != null) {
        variables.put(setting, new Given(value, setting.variable()));
      }
    }
    settings.values.putAll(variables);
    settings.values.putAll(flags);
    Path file = settings.path(Setting.CONFIG);
    if (file != null) {
      settings.file(file).forEach(settings.values::putIfAbsent);
    }
    settings.checkTogether();
    for (Setting setting : Setting.values()) {
      settings.check(setting);
    }
    return settings;
  }

  private void checkTogether() {
    checkOpen();
    for (Setting setting : List.of(Setting.TLS_CERT, Setting.TLS_KEY, Setting.TLS_CLIENT_CA)) {
      if (has(setting) && !(has(Setting.TLS_CERT) && has(Setting.TLS_KEY))) {
        throw wrong(setting, "is not enough; TLS needs both tls-cert and tls-key");
      }
    }
    for (Setting topic : List.of(Setting.MODEL_TOPIC, Setting.LABEL_TOPIC)) {
      if (has(topic) && !has(Setting.KAFKA)) {
        throw wrong(topic, "needs brokers: set kafka");
      }
    }
    if (models.isEmpty() && !has(Setting.MODEL_TOPIC) && !has(Setting.LEARN)) {
      throw new IllegalArgumentException(
          "no models: name a model file or a folder, or set --learn FOLDER, or --kafka and"
              + " --model-topic");
    }
  }

  private void checkOpen() {
    Set<Permission> open = open(Setting.HOST);
    if (open.contains(Permission.OPERATE)) {
      throw wrong(Setting.OPEN, "must not contain operate: who chooses versions needs a token");
    }
    if (open.contains(Permission.LEARN) && !Hosts.isLoopback(text(Setting.HOST))) {
      throw wrong(
          has(Setting.OPEN) ? Setting.OPEN : Setting.LEARN,
          "would let everybody who can connect to "
              + text(Setting.HOST)
              + " teach: set token-file, and give tokens the permission learn");
    }
  }

  /**
   * What callers without a token may do at an address: what was set; else what gives nothing away,
   * and on this machine what looks and does not change. There, teaching is open, too, if no tokens
   * are made for it.
   */
  public Set<Permission> open(Setting address) {
    if (has(Setting.OPEN)) {
      return read(Setting.OPEN, Permission::list, open -> true);
    }
    Set<Permission> open = EnumSet.of(Permission.HEALTH, Permission.PREDICT);
    if (Hosts.isLoopback(text(address))) {
      open.addAll(EnumSet.of(Permission.INSPECT, Permission.METRICS));
    }
    if (has(Setting.LEARN) && !has(Setting.TOKEN_FILE)) {
      open.add(Permission.LEARN);
    }
    return open;
  }

  private void check(Setting setting) {
    if (!has(setting) && setting.defaultValue().isEmpty()) {
      return;
    }
    switch (setting.form()) {
      case "PORT", "COUNT" -> number(setting);
      case "DURATION" -> duration(setting);
      case "SIZE" -> size(setting);
      case "FILE" -> path(setting);
      case "SHARE" -> share(setting);
      case "true|false" -> flag(setting);
      default -> {}
    }
  }

  /** Whether it has a value. */
  public boolean has(Setting setting) {
    return !text(setting).isEmpty();
  }

  /** Settings of Kafka's clients: those of the file, and the brokers' addresses. */
  public Properties kafka() throws IOException {
    Properties properties = new Properties();
    Path more = path(Setting.KAFKA_CONFIG);
    if (more != null) {
      try (Reader reader = Files.newBufferedReader(more)) {
        properties.load(reader);
      }
    }
    properties.put("bootstrap.servers", text(Setting.KAFKA));
    properties.put("client.id", "avm-serve");
    return properties;
  }

  private Map<Setting, Given> flags(List<String> arguments) {
    Map<Setting, Given> flags = new EnumMap<>(Setting.class);
    for (int k = 0; k < arguments.size(); k++) {
      String argument = arguments.get(k);
      if (!argument.startsWith("--")) {
        models.add(Path.of(argument));
        continue;
      }
      int equals = argument.indexOf('=');
      String flag = equals < 0 ? argument : argument.substring(0, equals);
      Setting setting = Setting.of(flag.substring(2), argument);
      if (equals < 0 && k + 1 == arguments.size()) {
        throw new IllegalArgumentException(argument + " needs a value: " + setting.form());
      }
      String value = equals < 0 ? arguments.get(++k) : argument.substring(equals + 1);
      flags.put(setting, new Given(value, flag));
    }
    return flags;
  }

  private Map<Setting, Given> file(Path file) {
    Map<Setting, Given> values = new EnumMap<>(Setting.class);
    int number = 0;
    for (String line : lines(file)) {
      String where = file + " line " + ++number;
      String stripped = line.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      int equals = stripped.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(where + ": must be NAME=VALUE or begin with #");
      }
      Setting setting = Setting.of(stripped.substring(0, equals).strip(), where);
      values.put(setting, new Given(stripped.substring(equals + 1).strip(), where));
    }
    return values;
  }

  private List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw wrong(Setting.CONFIG, file + " cannot be read as text in UTF-8: " + e);
    }
  }

  /** Files and folders of models, as given. */
  public List<Path> models() {
    return List.copyOf(models);
  }

  /** A value, empty for none. */
  public String text(Setting setting) {
    Given given = values.get(setting);
    return given == null ? setting.defaultValue() : given.text;
  }

  /** A value as a list of texts between commas. */
  public List<String> list(Setting setting) {
    String text = text(setting);
    return text.isEmpty() ? List.of() : List.of(text.trim().split("\\s*,\\s*"));
  }

  /** The exception for a wrong value: its source, then {@code words}. */
  private IllegalArgumentException wrong(Setting setting, String words) {
    Given given = values.get(setting);
    return new IllegalArgumentException(
        (given == null ? "" : given.source + ": ") + setting.key() + " " + words);
  }

  /** A value as the path of a file that can be read; null for none. */
  public @Nullable Path path(Setting setting) {
    String text = text(setting);
    if (text.isEmpty()) {
      return null;
    }
    Path path = Path.of(text);
    if (Files.isDirectory(path) || !Files.isReadable(path)) {
      String what = Files.exists(path) ? "a file that can be read" : "a file that exists";
      throw wrong(setting, "must be " + what + ", was " + text);
    }
    return path;
  }

  /** A value that is true or false. */
  public boolean flag(Setting setting) {
    return read(setting, SettingText::flag, value -> true);
  }

  /** A value as a duration. */
  public Duration duration(Setting setting) {
    Duration least = SettingText.duration(setting.least());
    Duration most = SettingText.duration(setting.most());
    return read(
        setting,
        SettingText::duration,
        value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
  }

  /** A value as a number of bytes. */
  public int size(Setting setting) {
    long least = SettingText.size(setting.least());
    long most = SettingText.size(setting.most());
    return Math.toIntExact(
        read(setting, SettingText::size, value -> value >= least && value <= most));
  }

  private <T> T read(Setting setting, Function<String, T> parser, Predicate<T> isWithin) {
    T value;
    try {
      value = parser.apply(text(setting));
    } catch (IllegalArgumentException e) {
      throw wrong(setting, String.valueOf(e.getMessage()));
    }
    if (!isWithin.test(value)) {
      throw wrong(
          setting,
          "must be from %s to %s, was %s"
              .formatted(setting.least(), setting.most(), text(setting)));
    }
    return value;
  }

  /** A value as a share, from 0 to 1. */
  public double share(Setting setting) {
    String text = text(setting);
    double value = text.matches("[01](\\.\\d{1,9})?") ? Double.parseDouble(text) : -1;
    if (value < 0 || value > 1) {
      throw wrong(setting, "must be a share from 0 to 1, such as 0.2, was " + text);
    }
    return value;
  }

  /** A value as a whole number. */
  public int number(Setting setting) {
    String text = text(setting);
    int least = Integer.parseInt(setting.least());
    int most = Integer.parseInt(setting.most());
    int value = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    if (value < least || value > most) {
      throw wrong(setting, "must be a whole number in %d..%d, was %s".formatted(least, most, text));
    }
    return value;
  }
}
