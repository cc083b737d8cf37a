// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.Avm;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.input.RowsInMemory;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.cli.option.LearnerOptions;
import io.github.avm4j.cli.report.Comparison;
import io.github.avm4j.cli.report.OutputFile;
import io.github.avm4j.cli.run.RowInstances;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm compare}: evaluates several methods on the same rows. */
@Command(
    name = "compare",
    description = {
      "Compare several methods on the same rows.",
      "",
      "Each row is predicted before it is learned from (prequential evaluation). Parameters of the"
          + " other methods are searched on the first rows, over the paper's grids; for the paper's"
          + " learner δ as well, from twice the mean distance of two rows down to 1/32 of it. Their"
          + " features are scaled as avm scales its own. For regression their target is scaled to"
          + " [0, 1], as in the paper."
    },
    sortOptions = false,
    sortSynopsis = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Examples:",
      "  avm compare electricity.arff --report electricity.html",
      "  avm compare a9a --methods avm,paper,linear,majority --plot a9a.svg"
    })
public final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "DATA", arity = "1..*", description = "Files, read in this order.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--methods",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "avm,paper,linear",
      description =
          "Which: avm, paper, linear, majority, no-change; an unknown name lists all, with the losses"
              + " of the paper's learner. ${DEFAULT-VALUE} by default.")
  private List<String> methods = new ArrayList<>();

  @Option(
      names = "--search",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Number of first rows on which parameters are searched, by their prequential error;"
              + " ${DEFAULT-VALUE} by default.")
  private int search;

  @Option(names = "--shuffle", description = "Shuffle the rows.")
  private boolean shuffle;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Shuffle the rows N times, with seeds S to S+N-1, and print mean and deviation of the"
              + " errors. Parameters are searched in each. Plots and times are of the first;"
              + " ${DEFAULT-VALUE} by default.")
  private int repeat;

  @Option(names = "--seed", paramLabel = "S", description = "Random seed; 1 by default.")
  private long seed = 1;

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N rows.")
  private @Nullable Long limit;

  @Option(
      names = "--task",
      paramLabel = "TASK",
      defaultValue = "auto",
      description = "${COMPLETION-CANDIDATES}, as in avm evaluate.")
  private LearnerOptions.TaskName task = LearnerOptions.TaskName.auto;

  @Option(names = "--json", description = "Print one JSON object only.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print the table only.")
  private boolean quiet;

  @Option(
      names = "--report",
      paramLabel = "HTML",
      description = "Write a self-contained HTML page with the table and the plots.")
  private @Nullable Path report;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw the error of every method over the rows, as .svg.")
  private @Nullable Path plot;

  @Mixin private DataOptions data = new DataOptions();

  @ArgGroup(validate = false, heading = "%nEncoding of columns, where it should not be inferred:%n")
  private DataOptions.Encodings encodings = new DataOptions.Encodings();

  public CompareCommand() {}

  @Override
  public Integer call() throws IOException {
    check();
    LearnerOptions options = new LearnerOptions();
    options.task = task;
    Inputs inputs = Inputs.of(files);
    try (Preview preview =
        new Preview(inputs.open(data.labelled()), encodings.kinds(), options.task())) {
      List<Method> chosen = chosen(preview.task());
      Table rows = read(preview);
      note(String.join(", ", files) + ": " + preview.describe());
      note(preview.inferences());
      note(rows.size() + " rows; parameters searched on the first " + searchRows(rows));
      Comparison comparison = repeated(chosen, preview.task(), rows);
      preview.reader().notes().forEach(this::note);
      write(comparison);
    }
    return ExitCodes.OK;
  }

  private void check() {
    OutputFile.require(plot, report);
    OutputFile.requireSvg(plot);
    if (limit != null && limit < 1) {
      throw new UsageException("--limit must be at least 1, was " + limit);
    }
    if (search < 10) {
      throw new UsageException("--search must be at least 10, was " + search);
    }
    if (repeat < 1 || repeat > 100) {
      throw new UsageException("--repeat must be in 1..100, was " + repeat);
    }
  }

  private List<Method> chosen(Task found) {
    List<Method> chosen = new ArrayList<>();
    for (String name : methods) {
      Method method;
      try {
        method = Methods.of(name.strip(), found);
      } catch (IllegalArgumentException e) {
        throw new UsageException("--methods: " + e.getMessage());
      }
      if (!method.tasks().contains(found)) {
        throw new UsageException(
            "--methods: " + name + " does not support " + found.name().toLowerCase(Locale.ROOT));
      }
      chosen.add(method);
    }
    return chosen;
  }

  private Table read(Preview preview) throws IOException {
    Task found = preview.task();
    RowLearner rows =
        new RowLearner(
            preview.schema(),
            preview.target(),
            (found == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build());
    long most = limit == null ? Long.MAX_VALUE : limit;
    RowInstances stream = RowInstances.of(preview, rows, data.labelled().onBadRow(), most);
    RowsInMemory stored = RowsInMemory.read(stream.kept(), Runtime.getRuntime().maxMemory());
    note(stream.skippedNote());
    stream.unusable().notes().forEach(this::note);
    List<FeatureVector> x = stored.first(stored.size());
    Table table = new Table(x, stored.targets());
    if (table.size() < 10) {
      throw new AvmException(
          "too few rows for a comparison: at least 10 are needed, found " + table.size());
    }
    return shuffle && repeat == 1 ? table.shuffled(seed == 0 ? 1 : seed) : table;
  }

  /** One comparison, or that of the first permutation with the errors of all. */
  private Comparison repeated(List<Method> chosen, Task found, Table rows) throws IOException {
    ComparedMethods compared = new ComparedMethods(files, found, searchRows(rows), this::note);
    if (repeat == 1) {
      return compared.run(chosen, rows, seed);
    }
    Comparison all = permuted(compared, chosen, rows, 0);
    for (int i = 1; i < repeat; i++) {
      all = all.with(permuted(compared, chosen, rows, i));
    }
    return all;
  }

  private Comparison permuted(ComparedMethods compared, List<Method> chosen, Table rows, int i)
      throws IOException {
    long order = (seed == 0 ? 1 : seed) + i;
    note("permutation " + (i + 1) + " of " + repeat + ", seed " + order);
    return compared.run(chosen, rows.shuffled(order), order);
  }

  private int searchRows(Table rows) {
    return Math.min(search, rows.size());
  }

  private void note(String text) {
    if (!quiet && !json && !text.isEmpty()) {
      spec.commandLine().getErr().println(text);
      spec.commandLine().getErr().flush();
    }
  }

  private void write(Comparison comparison) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonText.text(json(comparison)));
    } else {
      out.print(comparison.text());
    }
    out.flush();
    if (plot != null) {
      Files.writeString(plot, comparison.overRows().toSvg());
    }
    if (report != null) {
      Files.writeString(report, comparison.page());
    }
  }

  private static ObjectNode json(Comparison comparison) {
    ObjectNode root = JsonText.object();
    root.put("task", comparison.task().name().toLowerCase(Locale.ROOT));
    root.put("rows", comparison.rows());
    root.put("baseline", comparison.baseline());
    ArrayNode list = root.putArray("methods");
    for (Comparison.Entry entry : comparison.entries()) {
      list.addObject()
          .put("name", entry.method().name())
          .put("error", entry.run().end().error())
          .put("cpu_seconds", entry.run().end().cpuSeconds())
          .put("size", entry.run().end().corePoints())
          .put("parameters", entry.parameters())
          .put("tried", entry.tried());
      if (comparison.runs() > 1) {
        ObjectNode node = (ObjectNode) list.get(list.size() - 1);
        node.put("mean_error", comparison.mean(entry));
        node.put("error_deviation", comparison.deviation(entry));
      }
    }
    return root;
  }
}
