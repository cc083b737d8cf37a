// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.model.LearnerDescription;
import io.github.avm4j.cli.model.ModelDescription;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.cli.text.TextTree;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.pipeline.FileParts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm inspect}: prints the contents of a model file. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Show the contents of a model file.",
      "",
      "Prints task, classes, encoding of columns, configuration, provenance, and the core points with"
          + " the largest coefficients.",
      "For the default learner also the certificate: how many instances the budget absorbed, and at"
          + " which distance; and the contests: for each choice the candidate in use, its challengers"
          + " and the evidence.",
      "For the paper's algorithm also the bounds of the paper's theorems."
    },
    footer = {
      "",
      "Examples:",
      "  avm inspect a9a.avm",
      "  avm inspect a9a.avm --json --all | jq '.points[].coefficients'"
    })
public final class InspectCommand implements Callable<Integer> {
  private static final int USUAL_POINTS = 20;
  private static final int SHOWN_VALUES = 6;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "MODEL", description = "Model file written by avm train.")
  private Path model = Path.of("");

  @Option(names = "--json", description = "Print JSON, with complete lists.")
  private boolean json;

  @Option(
      names = "--all",
      description = "Print all core points, not only the 20 with the largest coefficients.")
  private boolean all;

  @Option(
      names = "--y-max",
      paramLabel = "Y",
      description = "Largest |y|, for the paper's bounds on regression.")
  private double yMax;

  public InspectCommand() {}

  @Override
  public Integer call() throws IOException {
    int points = all ? Integer.MAX_VALUE : USUAL_POINTS;
    ObjectNode tree =
        new ModelDescription(ModelFile.read(model))
            .describe(FileParts.of(Files.readAllBytes(model)), points, yMax);
    if (ModelFile.learnerIfAny(model) instanceof AutoLearner learner) {
      tree.set("certificate", ModelDescription.certificate(learner.certificate()));
      LearnerDescription.describe(learner, tree);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonText.text(tree));
    } else {
      print(tree, out);
    }
    out.flush();
    return ExitCodes.OK;
  }

  private static void print(ObjectNode tree, PrintWriter out) {
    List<String> sections = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      JsonNode value = entry.getValue();
      boolean section = value.isObject() || (value.isArray() && value.path(0).isObject());
      if (section) {
        sections.add(entry.getKey());
      } else {
        out.printf("%-14s %s%n", title(entry.getKey()), TextTree.scalar(value, SHOWN_VALUES));
      }
    }
    for (String section : sections) {
      out.printf("%n%s%n", title(section));
      JsonNode value = tree.get(section);
      if (value.isObject()) {
        value
            .properties()
            .forEach(
                e ->
                    out.printf(
                        "  %-26s %s%n",
                        title(e.getKey()), TextTree.scalar(e.getValue(), SHOWN_VALUES)));
      } else {
        value.forEach(row -> out.println("  " + row(row)));
      }
    }
  }

  private static String title(String key) {
    return key.replace('_', ' ');
  }

  private static String row(JsonNode row) {
    StringBuilder line = new StringBuilder();
    row.properties()
        .forEach(
            e -> {
              boolean named = e.getKey().equals("name") || e.getKey().equals("index");
              line.append(named ? "" : "  " + title(e.getKey()) + " ");
              line.append(
                  named
                      ? String.format("%-18s", TextTree.scalar(e.getValue(), SHOWN_VALUES))
                      : TextTree.scalar(e.getValue(), SHOWN_VALUES));
            });
    return line.toString();
  }
}
