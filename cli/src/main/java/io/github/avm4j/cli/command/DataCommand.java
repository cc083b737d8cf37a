// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.option.CatalogueOptions;
import io.github.avm4j.cli.progress.DownloadLine;
import io.github.avm4j.cli.text.Json;
import io.github.avm4j.cli.text.TextTree;
import io.github.avm4j.data.catalogue.DataCache;
import io.github.avm4j.data.catalogue.DataSet;
import io.github.avm4j.data.catalogue.LocalData;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm data}: the catalogue of public data sets. */
@Command(
    name = "data",
    description = {
      "List, describe and download public data sets.",
      "",
      "Other commands read a data set as data:NAME and its test rows as data:NAME:test."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Examples:", "  avm data list", "  avm train data:a9a -m a9a.avm"})
public final class DataCommand implements Runnable {
  private static final String LEGEND =
      "here: in the cache or the mirror folder; download: avm data get downloads it; mirror: cannot"
          + " be downloaded, only read from a mirror folder (--mirror DIR or the variable "
          + DataCache.MIRROR
          + "), see avm data show NAME";

  @Spec private CommandSpec spec = CommandSpec.create();

  public DataCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command given; use avm data list, show NAME or get NAME");
  }

  @Command(
      name = "list",
      description = "List all data sets: rows, features, classes, source and title.",
      footer = {"", "Example:", "  avm data list"})
  void list(
      @Mixin CatalogueOptions options,
      @Option(names = "--json", description = "Print JSON.") boolean json) {
    DataCache cache = options.cache();
    List<DataSet> sets = cache.catalogue().sets();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ArrayNode array = Json.array();
      sets.forEach(set -> array.add(tree(set, cache)));
      out.println(Json.text(array));
    } else {
      out.printf(
          "%-14s %9s %9s %8s  %-8s  %s%n", "name", "rows", "features", "classes", "from", "about");
      for (DataSet set : sets) {
        out.printf(
            Locale.ROOT,
            "%-14s %9d %9d %8s  %-8s  %s%n",
            set.name(),
            set.rows(),
            set.features(),
            set.classes() == 0 ? "-" : Integer.toString(set.classes()),
            source(set, cache),
            set.title());
      }
      out.println(LEGEND);
    }
    out.flush();
  }

  @Command(
      name = "show",
      description = "Describe a data set: files, licence, citation, notes.",
      footer = {"", "Example:", "  avm data show covtype"})
  void show(
      @Mixin CatalogueOptions options,
      @Parameters(paramLabel = "NAME", description = "Name in avm data list.") String name,
      @Option(names = "--json", description = "Print JSON.") boolean json) {
    DataCache cache = options.cache();
    ObjectNode tree = tree(cache.catalogue().get(name), cache);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.text(tree));
    } else {
      tree.properties()
          .forEach(
              e -> {
                if (!e.getValue().isArray() || !e.getValue().path(0).isObject()) {
                  out.printf("%-10s %s%n", e.getKey(), TextTree.scalar(e.getValue(), 100));
                }
              });
      tree.get("files").forEach(file -> out.println("file       " + TextTree.scalar(file, 100)));
    }
    out.flush();
  }

  @Command(
      name = "get",
      description = "Download a data set, verify its SHA-256 checksums and print the paths.",
      footer = {"", "Example:", "  avm data get a9a"})
  void get(
      @Mixin CatalogueOptions options,
      @Parameters(paramLabel = "NAME", description = "Name in avm data list.") String name,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws IOException {
    LocalData data = options.cache().get(name, DownloadLine.on(spec.commandLine().getErr()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode tree = Json.object();
      tree.put("name", data.set().name());
      tree.set("train", Json.array(data.train().stream().map(Path::toString).toList()));
      tree.set("test", Json.array(data.test().stream().map(Path::toString).toList()));
      out.println(Json.text(tree));
    } else {
      data.train().forEach(path -> out.println("train " + path));
      data.test().forEach(path -> out.println("test  " + path));
    }
    out.flush();
  }

  /** Source of a data set: here, download or mirror. */
  private static String source(DataSet set, DataCache cache) {
    return cache.isHere(set) ? "here" : set.canBeDownloaded() ? "download" : "mirror";
  }

  private static ObjectNode tree(DataSet set, DataCache cache) {
    ObjectNode tree = new ObjectMapper().valueToTree(set);
    return tree.put("from", source(set, cache));
  }
}
