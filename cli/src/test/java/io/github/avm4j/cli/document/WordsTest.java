// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.config.SettingText;
import io.github.avm4j.serve.operate.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every door calls a thing by the word of docs/words.md, and writes it in the same form. */
class WordsTest {
  private static final Path PAGE = Doors.ROOT.resolve("docs/words.md");
  private static final String KEBAB = "[a-z][a-z0-9]*(-[a-z0-9]+)*";
  private static final String SNAKE = "[a-z_][a-z0-9]*(_[a-z0-9]+)*";
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final Pattern CAPITAL = Pattern.compile("(?<=[a-z])(?=[A-Z])|[-_.]+");

  /** Units are written with the value, so no name of a setting has one. */
  private static final Set<String> UNITS =
      Set.of("ms", "millis", "seconds", "minutes", "hours", "bytes", "kb", "mb");

  /** JSON that others have specified, and symbols of the paper. */
  private static final Set<String> OF_OTHERS = Set.of("P", "M", "L", "G", "H", "W");

  @TempDir Path folder;

  private static List<List<String>> table(String heading) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(PAGE)) {
      inside = inside ? line.startsWith("|") : line.startsWith(heading);
      if (inside && !line.startsWith("|---")) {
        rows.add(Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList());
      }
    }
    return rows;
  }

  private static List<String> words(String cell) {
    List<String> words = new ArrayList<>();
    Matcher found = WORD.matcher(cell);
    while (found.find()) {
      words.add(found.group(1));
    }
    return words;
  }

  /** The names of each column of the table. */
  private static Map<String, Set<String>> doors() throws IOException {
    Map<String, Set<String>> doors = new TreeMap<>();
    doors.put("Java", Doors.java());
    doors.put("flag", Doors.flags());
    doors.put("job file", union(Doors.jobKeys(), Doors.jobValues()));
    doors.put("JSON", Doors.json());
    doors.put(
        "metric, event", union(union(Doors.serverMetrics(), Doors.jobMetrics()), Doors.events()));
    return doors;
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> all = new TreeSet<>(one);
    all.addAll(other);
    return all;
  }

  @Test
  void everyWordOfTheTableIsThatOfItsDoor() throws IOException {
    Map<String, Set<String>> doors = doors();
    List<List<String>> table = table("| concept |");
    List<String> columns = table.get(0);
    assertEquals(doors.keySet(), new TreeSet<>(columns.subList(1, columns.size())));
    for (List<String> row : table.subList(1, table.size())) {
      for (int c = 1; c < columns.size(); c++) {
        Set<String> door = doors.get(columns.get(c));
        for (String word : words(row.get(c))) {
          List<String> parts =
              columns.get(c).equals("job file") ? List.of(word.split("\\.")) : List.of(word);
          assertTrue(
              door.containsAll(parts),
              () -> row.get(0) + ": there is no " + word + " among " + door);
        }
      }
    }
  }

  @Test
  void namesAreWrittenAlikeInEachDoor() throws IOException {
    for (String flag : Doors.flags()) {
      if (flag.startsWith("-")) {
        assertTrue(flag.matches("-[a-zA-Z]|--" + KEBAB), flag);
      }
    }
    for (Setting setting : Setting.values()) {
      assertTrue(setting.key().matches(KEBAB), setting.key());
    }
    all("key of a job's file", Doors.jobKeys(), KEBAB);
    Set<String> json = new TreeSet<>(Doors.json());
    assertTrue(json.removeAll(OF_OTHERS), "symbols of the paper");
    all("key of JSON", json, SNAKE);
    all("metric of the server", Doors.serverMetrics(), SNAKE);
    all("metric of a job", Doors.jobMetrics(), "[a-z]+([A-Z][a-z]+)*");
    all("event of the log", Doors.events(), SNAKE);
  }

  private static void all(String what, Set<String> names, String form) {
    assertTrue(names.size() > 20, what + ": found only " + names);
    for (String name : names) {
      assertTrue(name.matches(form), () -> what + " in another form: " + name);
    }
  }

  @Test
  void noDoorHasAWordThatIsNotUsed() throws IOException {
    Set<String> forbidden = new TreeSet<>();
    for (List<String> row : table("| not |")) {
      forbidden.addAll(words(row.get(0)));
    }
    assertTrue(forbidden.size() >= 10, forbidden.toString());
    doors()
        .forEach(
            (door, names) -> {
              for (String name : names) {
                for (String part : CAPITAL.split(name)) {
                  assertFalse(
                      forbidden.contains(part.toLowerCase(Locale.ROOT)),
                      () -> door + " has " + name + ", see " + PAGE);
                }
              }
            });
  }

  @Test
  void unitsAreInValuesNotInNames() throws IOException {
    for (String name : union(Doors.flags(), Doors.jobKeys())) {
      for (String part : CAPITAL.split(name)) {
        assertFalse(UNITS.contains(part), () -> name + " has its unit in its name");
      }
    }
    for (String form : Doors.forms()) {
      for (String part : form.toLowerCase(Locale.ROOT).split("\\W+")) {
        assertFalse(UNITS.contains(part) || part.equals("yes") || part.equals("no"), form);
      }
    }
  }

  @Test
  void defaultsOfTheServerAreWrittenAsAllSettingsAre() {
    int read = 0;
    for (Setting setting : Setting.values()) {
      String value = setting.defaultValue();
      switch (setting.form()) {
        case "DURATION" -> assertFalse(SettingText.duration(value).isNegative(), setting.key());
        case "SIZE" -> assertTrue(SettingText.size(value) > 0, setting.key());
        case "true|false" -> assertFalse(SettingText.flag(value), setting.key());
        default -> read--;
      }
      read++;
    }
    assertTrue(read >= 8, "found only " + read);
  }

  /** A second parser would take other forms sooner or later. */
  @Test
  void durationsSizesAndBooleansHaveOneParser() throws IOException {
    Pattern others =
        Pattern.compile(
            "parseDuration|Duration\\.parse\\(|MemorySize\\.parse|parseBoolean|\"yes|\\|h\\)\""
                + "|equals\\(\"true\"\\)");
    for (String module : List.of("cli", "serve", "follow", "follow-kafka", "flink")) {
      for (String text : Doors.sources(module + "/src/main/java")) {
        Matcher found = others.matcher(withoutComments(text));
        assertFalse(
            found.find(), () -> module + ": " + found.group() + "; read it with SettingText");
      }
    }
  }

  private static String withoutComments(String text) {
    return text.replaceAll("(?m)^\\s*(\\*|/\\*|//).*$", "");
  }

  /** Some keys are made of names of settings and are no literals. */
  @Test
  void reportsAreInSnakeCase() throws IOException {
    Path rows = Files.writeString(folder.resolve("ring.csv"), Avm.ring(300, 1));
    Path model = folder.resolve("ring.avm");
    for (String[] more : List.of(new String[0], new String[] {"--paper"})) {
      List<Object> words = new ArrayList<>(List.of("evaluate", rows, "--json"));
      words.addAll(List.of(more));
      JsonNode json = new ObjectMapper().readTree(Avm.run(words.toArray()).out());
      assertTrue(json.path("configuration").size() > 3, json.toString());
      snake("", json);
    }
    assertEquals(0, Avm.run("train", rows, "-m", model).code());
    snake("", new ObjectMapper().readTree(Avm.run("inspect", model, "--json").out()));
  }

  private static void snake(String path, JsonNode node) {
    node.properties()
        .forEach(
            field -> {
              assertTrue(field.getKey().matches(SNAKE), () -> path + "." + field.getKey());
              snake(path + "." + field.getKey(), field.getValue());
            });
    node.elements().forEachRemaining(element -> snake(path, element));
  }
}
