// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.cli.inference.RowSource;
import io.github.avm4j.cli.input.Fit;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.cli.option.LearnerChoice;
import io.github.avm4j.cli.option.LearnerOptions;
import io.github.avm4j.cli.option.PaperOptions;
import io.github.avm4j.cli.option.UnusedOptions;
import io.github.avm4j.cli.progress.ErrorText;
import io.github.avm4j.cli.progress.Progress;
import io.github.avm4j.cli.progress.ProgressBar;
import io.github.avm4j.cli.progress.ProgressTable;
import io.github.avm4j.cli.progress.Terminal;
import io.github.avm4j.cli.report.ForgettingNote;
import io.github.avm4j.cli.report.OneClassNote;
import io.github.avm4j.cli.report.OutputFile;
import io.github.avm4j.cli.run.Interruption;
import io.github.avm4j.cli.run.RowInstances;
import io.github.avm4j.cli.run.SaveEvery;
import io.github.avm4j.cli.run.Training;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm train}: trains a model in one pass over the rows. */
@Command(
    name = "train",
    sortOptions = false,
    sortSynopsis = false,
    abbreviateSynopsis = true,
    description = {
      "Train a model in a single pass and bounded memory.",
      "",
      "Format, task, encoding of columns, scaling and kernel width are inferred from the first"
          + " rows. Each can be set instead. The printed error is prequential: every row is"
          + " predicted before it is learned from, so it estimates the error on new rows."
    },
    footer = {
      "",
      "Examples:",
      "  avm train a9a -m a9a.avm",
      "  avm train flights.csv.gz --label arr_delay --drop dep_delay -m delay.avm",
      "  zcat clicks.jsonl.gz | avm train - --label clicked -m clicks.avm --save-every 30s",
      "  avm train monday.csv -m week.avm && avm train tuesday.csv --resume week.avm"
    })
public final class TrainCommand implements Callable<Integer> {
  private static final Set<Class<?>> OF_LEARNER =
      Set.of(LearnerOptions.class, PaperOptions.class, DataOptions.Encodings.class);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "DATA",
      description = "Files, read in this order; - is standard input.")
  private List<String> data = List.of();

  @Option(
      names = {"-m", "--model"},
      paramLabel = "FILE",
      description = "File of the model; with --resume the same file by default.")
  private @Nullable Path model;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = "Continue training a saved model, bit for bit as if it had never stopped.")
  private @Nullable Path resume;

  @Option(
      names = "--save-every",
      paramLabel = "WHEN",
      defaultValue = "60s",
      converter = SaveEvery.Converter.class,
      description =
          "Interval of saves: a number of rows, or a time such as 30s, 5m, 1h; 0 for never."
              + " ${DEFAULT-VALUE} by default. Ctrl-C saves, too.")
  private SaveEvery saveEvery = new SaveEvery(0, 0);

  @Option(names = "--skip", paramLabel = "N", description = "Skip the first N rows.")
  private long skip;

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N rows.")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  private boolean quiet;

  @ArgGroup(validate = false, heading = "%nThe learner:%n")
  private LearnerOptions learnerOptions = new LearnerOptions();

  @ArgGroup(validate = false, heading = "%nThe rows:%n")
  private DataOptions dataOptions = new DataOptions();

  @ArgGroup(validate = false, heading = "%nEncoding of columns, where it should not be inferred:%n")
  private DataOptions.Encodings encodings = new DataOptions.Encodings();

  public TrainCommand() {}

  @Override
  public Integer call() throws IOException {
    Path target = model != null ? model : resume;
    if (target == null) {
      throw new UsageException("no file for the model: add -m model.avm");
    }
    OutputFile.require(target);
    Inputs inputs = Inputs.of(data);
    if (resume != null) {
      refuseLearnerOptions();
      return continueTraining(inputs, ModelFile.learner(resume), target);
    }
    return begin(inputs, target);
  }

  private int begin(Inputs inputs, Path target) throws IOException {
    UnusedOptions.refuse(spec.commandLine().getParseResult(), learnerOptions);
    try (RowReader reader = inputs.open(dataOptions.labelled())) {
      skipRows(reader);
      Preview preview =
          new Preview(
              reader, encodings.kinds(), learnerOptions.task(), learnerOptions.mostValues());
      note(preview.describe());
      note(preview.inferences());
      LearnerChoice choice = LearnerChoice.of(learnerOptions, preview);
      note(choice.note());
      RowLearner rows = new RowLearner(preview.schema(), preview.target(), choice.learner());
      return run(inputs, reader, preview, rows, target);
    }
  }

  private int continueTraining(Inputs inputs, RowLearner rows, Path target) throws IOException {
    note(
        "resuming after "
            + rows.learner().instances()
            + " rows with "
            + rows.learner().size()
            + " core points");
    ReaderOptions options = dataOptions.labelled();
    if (options.label() == null && !rows.targetName().isEmpty()) {
      options = options.withLabel(rows.targetName());
    }
    try (RowReader reader = inputs.open(options)) {
      skipRows(reader);
      Fit.check(rows.schema(), reader, this::note);
      return run(inputs, reader, RowSource.of(reader), rows, target);
    }
  }

  private void refuseLearnerOptions() {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      boolean ofLearner =
          option.userObject() instanceof Field field
              && OF_LEARNER.contains(field.getDeclaringClass());
      if (ofLearner) {
        throw new UsageException(
            option.longestName()
                + " cannot be combined with --resume: the model file has the settings of its"
                + " learner. Remove it, or train a new model");
      }
    }
  }

  private void skipRows(RowReader reader) throws IOException {
    Row row = new Row();
    for (long k = 0; k < skip && reader.next(row); k++) {
      // These rows are skipped.
    }
  }

  private int run(Inputs inputs, RowReader reader, RowSource source, RowLearner rows, Path target)
      throws IOException {
    RowInstances stream =
        RowInstances.of(source, reader.columns(), rows, dataOptions.labelled().onBadRow(), limit);
    Training training =
        new Training(rows, stream, target, saveEvery, progress(), inputs::share, System::nanoTime);
    Interruption interruption =
        new Interruption(
            () -> {
              training.stop();
              noteInterruption(stream.rows(), target);
            });
    boolean finished;
    try (interruption) {
      finished = training.run();
    }
    if (!finished) {
      return ExitCodes.INTERRUPTED;
    }
    reader.notes().forEach(this::note);
    stream.unusable().notes().forEach(this::note);
    note(ForgettingNote.of(rows.learner()));
    if (rows.learner() instanceof AutoLearner learner && learner.isFitted()) {
      note(
          "few rows: the model was fitted to all of them at once, with the kernel width of the"
              + " smallest leave-one-out error");
    }
    note(OneClassNote.of(rows.names()));
    note(stream.skippedNote());
    if (!quiet) {
      double seconds = training.nanos() / 1e9;
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          Locale.ROOT,
          "%d rows in %.1f s (%.0f/s), %s, %d core points, %s %s%n",
          stream.rows(),
          seconds,
          stream.rows() / Math.max(1e-9, seconds),
          ErrorText.summary(training.figures()),
          training.size(),
          target,
          bytes(Files.size(target)));
      out.flush();
    }
    return ExitCodes.OK;
  }

  private void noteInterruption(long read, Path target) {
    note(
        "interrupted after "
            + read
            + " rows; saved. Resume with: avm train "
            + String.join(" ", data)
            + " --resume "
            + target
            + (data.contains("-") ? "" : " --skip " + (skip + read)));
  }

  static String bytes(long count) {
    return count < 10_000 ? count + " bytes" : String.format(Locale.ROOT, "%.0f kB", count / 1e3);
  }

  private Progress progress() {
    if (quiet) {
      return Progress.NONE;
    }
    PrintWriter err = spec.commandLine().getErr();
    return Terminal.isStandardError()
        ? new ProgressBar(err, Terminal.width())
        : new ProgressTable(err);
  }

  private void note(String text) {
    if (!quiet && !text.isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(text);
      err.flush();
    }
  }
}
