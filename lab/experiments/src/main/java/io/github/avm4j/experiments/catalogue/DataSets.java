// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.experiments.Options;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A program that lists, describes and downloads the public data sets. */
public final class DataSets {
  private static final String HELP =
      """
      Public data sets: list, show NAME, or get NAME, which downloads a set, compares its SHA-256
      checksums and prints the paths.
        --mirror FOLDER   folder that has the files already (the variable AVM_MIRROR)
        --cache FOLDER    folder of downloads (~/.cache/avm4j)
        --json            with get: print JSON, with the label and the columns to leave out
      """;

  private final DataCache cache;
  private final boolean json;
  private final PrintStream out;

  private DataSets(DataCache cache, boolean json, PrintStream out) {
    this.cache = cache;
    this.json = json;
    this.out = out;
  }

  /** See the help text. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    List<String> words = Arrays.stream(args).takeWhile(word -> !word.startsWith("--")).toList();
    try {
      Options options =
          new Options(
              Arrays.copyOfRange(args, words.size(), args.length),
              Set.of("--json", "--help"),
              Set.of("--mirror", "--cache"),
              HELP);
      String command = words.isEmpty() ? "" : words.get(0);
      if (words.size() != (command.equals("list") ? 1 : 2)
          || !Set.of("list", "show", "get").contains(command)) {
        err.print(HELP);
        return options.has("--help") ? 0 : 2;
      }
      DataSets program = new DataSets(cache(options), options.has("--json"), out);
      switch (command) {
        case "list" -> program.list();
        case "show" -> program.show(words.get(1));
        default -> program.get(words.get(1));
      }
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      err.println(e.getMessage());
      return 1;
    }
  }

  private static DataCache cache(Options options) {
    Map<String, String> environment = System.getenv();
    String mirror = options.text("--mirror", environment.getOrDefault(DataCache.MIRROR, ""));
    Path folder = Path.of(System.getProperty("user.home"), ".cache", "avm4j");
    return new DataCache(
        Catalogue.standard(),
        Path.of(options.text("--cache", folder.toString())),
        mirror.isEmpty() ? null : Path.of(mirror),
        Limits.usual());
  }

  private void list() {
    out.printf("%-14s %9s %9s %8s  %-8s  %s%n", "name", "rows", "features", "classes", "from", "");
    for (DataSet set : cache.catalogue().sets()) {
      out.printf(
          Locale.ROOT,
          "%-14s %9d %9d %8d  %-8s  %s%n",
          set.name(),
          set.rows(),
          set.features(),
          set.classes(),
          cache.isHere(set) ? "here" : set.canBeDownloaded() ? "download" : "mirror",
          set.title());
    }
    out.println("mirror: cannot be downloaded, only read from a mirror folder");
  }

  private void show(String name) throws IOException {
    out.println(
        new ObjectMapper()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(cache.catalogue().get(name)));
  }

  private void get(String name) throws IOException {
    LocalData data = cache.get(name, Progress.NONE);
    if (!json) {
      data.train().forEach(path -> out.println("train " + path));
      data.test().forEach(path -> out.println("test  " + path));
      return;
    }
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode tree = mapper.createObjectNode();
    tree.put("task", data.set().task().name().toLowerCase(Locale.ROOT));
    tree.put("label", data.set().label());
    tree.set("ignored", mapper.valueToTree(data.set().ignored()));
    tree.set("train", mapper.valueToTree(data.train().stream().map(Path::toString).toList()));
    tree.set("test", mapper.valueToTree(data.test().stream().map(Path::toString).toList()));
    out.println(tree);
  }
}
