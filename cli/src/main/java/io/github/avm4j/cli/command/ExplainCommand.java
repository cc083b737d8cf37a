// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.input.Fit;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.input.RowProblem;
import io.github.avm4j.cli.input.UnusableCells;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm explain}: contributions of core points to a prediction. */
@Command(
    name = "explain",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Show which core points contribute most to a prediction.",
      "",
      "The core points of a model are rows it was trained on. A score is a sum over them:"
          + " coefficient times similarity to the row. Printed are the core points with the largest"
          + " contributions, what the model predicts for each, and its features."
    },
    footer = {
      "",
      "Examples:",
      "  avm explain flights.avm tomorrow.csv --rows 1",
      "  avm explain flights.avm tomorrow.csv --json | jq '.points[0]'"
    })
public final class ExplainCommand implements Callable<Integer> {
  private static final int SHOWN_FEATURES = 6;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "MODEL", description = "Model file written by avm train.")
  private Path model = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "DATA",
      description = "Files, read in this order; standard input by default.")
  private List<String> data = List.of("-");

  @Option(
      names = "--rows",
      paramLabel = "COUNT",
      description = "Number of rows to explain; 10 by default.")
  private long rows = 10;

  @Option(
      names = "--points",
      paramLabel = "COUNT",
      description = "Number of core points per row; 5 by default.")
  private int points = 5;

  @Option(names = "--json", description = "Print one JSON object per row.")
  private boolean json;

  @ArgGroup(validate = false, heading = "%nThe rows:%n")
  private DataOptions dataOptions = new DataOptions();

  public ExplainCommand() {}

  @Override
  public Integer call() throws IOException {
    if (rows < 1 || points < 0) {
      throw new UsageException(
          "--rows must be at least 1 and --points at least 0, were " + rows + " and " + points);
    }
    RowModel named = ModelFile.read(model);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (RowReader reader = Inputs.of(data).open(dataOptions.unlabelled(named.target()))) {
      RowEncoder encoder = Fit.encoder(named.schema(), reader, err::println);
      UnusableCells unusable = new UnusableCells(named.schema(), encoder);
      Row row = new Row();
      for (long r = 1; r <= rows && reader.next(row); r++) {
        Explanation why = explain(named, encoder, row, reader);
        unusable.count(row, reader::position);
        if (json) {
          out.println(JsonText.line(tree(named, r, why)));
        } else {
          print(named, r, why, out);
        }
      }
      unusable.notes().forEach(err::println);
    }
    out.flush();
    return ExitCodes.OK;
  }

  private Explanation explain(RowModel named, RowEncoder encoder, Row row, RowReader reader) {
    try {
      return Explanation.of(named.model(), encoder.encode(row), points);
    } catch (IllegalArgumentException e) {
      throw new AvmException(reader.position() + ": " + RowProblem.text(e, named.schema()), e);
    }
  }

  private static ObjectNode tree(RowModel named, long number, Explanation why) {
    ObjectNode tree = JsonText.object();
    tree.put("row", number);
    tree.put("prediction", named.name(why.prediction()));
    tree.put("score", why.score());
    tree.put("intercept", why.intercept());
    tree.put("rest", why.rest());
    ArrayNode list = tree.putArray("points");
    for (Explanation.Part part : why.parts()) {
      ObjectNode node = list.addObject();
      node.put("point", part.point());
      if (!Double.isNaN(part.prediction())) {
        node.put("prediction", named.name(part.prediction()));
      }
      node.put("share", part.share());
      node.put("similarity", part.similarity());
      node.put("weight", part.weight());
      node.put("score", part.score());
      node.put("contribution", part.contribution());
      ObjectNode at = node.putObject("at");
      named.point(part.example()).forEach(at::put);
    }
    return tree;
  }

  private static void print(RowModel named, long number, Explanation why, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "row %d: %s  (score %.5g)%n",
        number,
        Escaped.text(named.name(why.prediction())),
        why.score());
    for (Explanation.Part part : why.parts()) {
      double prediction = Double.isNaN(part.prediction()) ? part.score() : part.prediction();
      String label = Escaped.text(named.name(prediction));
      out.printf(
          Locale.ROOT,
          "  %5.1f %%  %+.4g  predicted %s, similarity %.3f, point %d: %s%n",
          100 * part.share(),
          part.contribution(),
          label,
          part.similarity(),
          part.point(),
          cells(named.point(part.example())));
    }
    out.printf(
        Locale.ROOT, "  sum of the others %+.4g, intercept %.4g%n", why.rest(), why.intercept());
  }

  private static String cells(Map<String, Double> cells) {
    String shown =
        cells.entrySet().stream()
            .limit(SHOWN_FEATURES)
            .map(
                cell ->
                    Escaped.item(cell.getKey())
                        + "="
                        + String.format(Locale.ROOT, "%.4g", cell.getValue()))
            .collect(Collectors.joining(", "));
    int more = cells.size() - SHOWN_FEATURES;
    return more > 0 ? shown + ", … " + more + " more" : shown;
  }
}
