// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.input.Fit;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.input.KeptColumns;
import io.github.avm4j.cli.input.PromptInput;
import io.github.avm4j.cli.input.RowProblem;
import io.github.avm4j.cli.input.UnusableCells;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.cli.progress.ErrorText;
import io.github.avm4j.cli.report.OutputFile;
import io.github.avm4j.cli.report.PredictionWriter;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowModel;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm predict}: one prediction per row. */
@Command(
    name = "predict",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Predict rows: one line per row, in the order of the input.",
      "",
      "Classification: CSV columns prediction, score and, if the loss has probabilities, p:CLASS"
          + " for each class. With two classes, a positive score means the second class of avm"
          + " inspect (the last p: column), a negative score the first. With more classes, it is"
          + " the score of the predicted class. Regression: CSV column prediction. --level adds an"
          + " interval, or for classification a set of classes.",
      "",
      "If the rows have labels, the error is printed at the end. On standard input, each line is"
          + " predicted before the next one is read."
    },
    footer = {
      "",
      "Examples:",
      "  avm predict a9a.avm a9a.t > predictions.csv",
      "  avm predict churn.avm customers.csv --keep customer_id --on-bad-row skip",
      "  tail -f events.jsonl | avm predict clicks.avm --output-format jsonl"
    })
public final class PredictCommand implements Callable<Integer> {
  /** Values of --output-format. */
  enum OutputFormat {
    csv,
    jsonl
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "MODEL", description = "Model file written by avm train.")
  private Path model = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "DATA",
      description = "Files, read in this order; standard input by default.")
  private List<String> data = List.of("-");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "File of the predictions; standard output by default.")
  private @Nullable Path output;

  @Option(
      names = "--output-format",
      paramLabel = "FORMAT",
      defaultValue = "csv",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} by default.")
  private OutputFormat outputFormat = OutputFormat.csv;

  @Option(
      names = "--keep",
      paramLabel = "COLUMN",
      split = ",",
      description =
          "Columns of the input, such as an id, to copy unchanged before each prediction.")
  private List<String> keep = new ArrayList<>();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "Add the interval (CSV columns lower, upper) or, for classification, the set of classes"
              + " (CSV column set, names separated by |) that holds the target of this share of the"
              + " rows; 0.8, 0.9 or 0.95 unless the learner was built with other levels.")
  private @Nullable Double level;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print predictions and errors only.")
  private boolean quiet;

  @ArgGroup(validate = false, heading = "%nThe rows:%n")
  private DataOptions dataOptions = new DataOptions();

  public PredictCommand() {}

  @Override
  public Integer call() throws IOException {
    OutputFile.require(output);
    RowModel rows = ModelFile.read(model);
    requireLevel(rows);
    ReaderOptions options = dataOptions.unlabelled(rows.target());
    boolean prompt = data.equals(List.of("-"));
    try (RowReader reader =
        prompt
            ? PromptInput.open(options, rows.schema(), System.in)
            : Inputs.of(data).open(options)) {
      RowEncoder encoder = Fit.encoder(rows.schema(), reader, this::note);
      if (output == null) {
        predict(rows, reader, encoder, spec.commandLine().getOut(), prompt);
      } else {
        try (Writer file = Files.newBufferedWriter(output)) {
          predict(rows, reader, encoder, file, prompt);
        }
      }
      reader.notes().forEach(this::note);
    }
    return ExitCodes.OK;
  }

  private void requireLevel(RowModel rows) {
    List<Double> levels = rows.model().calibration().levels();
    if (level != null && !levels.contains(level)) {
      throw new AvmException(
          levels.isEmpty()
              ? "--level: the model has no intervals, as all of --paper; remove --level"
              : "--level must be one of " + levels + ", was " + level);
    }
  }

  private void predict(
      RowModel rows, RowReader reader, RowEncoder encoder, Writer target, boolean prompt)
      throws IOException {
    Writer out = prompt ? target : new BufferedWriter(target, 1 << 16);
    KeptColumns kept = KeptColumns.of(keep, reader);
    PredictionWriter predictions =
        new PredictionWriter(rows, outputFormat == OutputFormat.jsonl, kept, level, out);
    Score score = Score.of(rows.model().task(), 1);
    predictions.header();
    if (prompt) {
      out.flush();
    }
    UnusableCells unusable = new UnusableCells(rows.schema(), encoder);
    Row row = new Row();
    try {
      while (reader.next(row)) {
        double prediction = predictions.write(encoder.encode(row), row);
        if (prompt) {
          out.flush();
        }
        count(rows, row, prediction, score);
        unusable.count(row, reader::position);
      }
    } catch (IllegalArgumentException e) {
      throw new AvmException(reader.position() + ": " + RowProblem.text(e, rows.schema()), e);
    } finally {
      out.flush();
    }
    if (target instanceof PrintWriter printer && printer.checkError()) {
      throw new AvmException(
          "the predictions could not be written: was the output closed, or is the disk full?");
    }
    unusable.notes().forEach(this::note);
    Figures figures = score.cumulative();
    if (figures.instances() > 0) {
      note(figures.instances() + " rows with labels: " + ErrorText.summary(figures));
    }
  }

  private static void count(RowModel rows, Row row, double prediction, Score score) {
    if (row.labelKind() == Row.Kind.MISSING) {
      return;
    }
    if (rows.model().task() == Task.CLASSIFICATION) {
      score.add(rows.classNames().indexOf(row.labelText()), prediction, row.weight());
    } else if (!Double.isNaN(row.labelAsNumber())) {
      score.add(row.labelAsNumber(), prediction, row.weight());
    }
  }

  private void note(String text) {
    if (!quiet) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(text);
      err.flush();
    }
  }
}
