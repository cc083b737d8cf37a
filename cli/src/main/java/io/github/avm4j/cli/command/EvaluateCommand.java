// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.input.RowsInMemory;
import io.github.avm4j.cli.input.UnusableCells;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.cli.option.LearnerChoice;
import io.github.avm4j.cli.option.LearnerOptions;
import io.github.avm4j.cli.option.UnusedOptions;
import io.github.avm4j.cli.report.CurveFile;
import io.github.avm4j.cli.report.CurveSvg;
import io.github.avm4j.cli.report.EvaluationContext;
import io.github.avm4j.cli.report.EvaluationJson;
import io.github.avm4j.cli.report.EvaluationReport;
import io.github.avm4j.cli.report.EvaluationText;
import io.github.avm4j.cli.report.OneClassNote;
import io.github.avm4j.cli.report.OutputFile;
import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.cli.run.Evaluator;
import io.github.avm4j.cli.run.RowInstances;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.evaluation.LearningCurve.Sampling;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.Inference;
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

/** The command {@code avm evaluate}: prequential or hold-out evaluation of a learner. */
@Command(
    name = "evaluate",
    description = {
      "Evaluate a learner on rows, beside baselines.",
      "",
      "Each row is predicted before it is learned from (prequential evaluation). With --test, other"
          + " rows are predicted after learning (hold-out evaluation)."
    },
    sortOptions = false,
    sortSynopsis = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Examples:",
      "  avm evaluate electricity.arff --report electricity.html",
      "  avm evaluate a9a --test a9a.t",
      "  avm evaluate a9a --labels 0.2",
      "  avm evaluate CASP.csv --label RMSD --repeat 10 --json"
    })
public final class EvaluateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "Files, read in this order; - is standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--test",
      paramLabel = "FILE",
      description = "Rows to predict after learning from DATA.")
  private List<String> tests = new ArrayList<>();

  @Option(names = "--shuffle", description = "Shuffle the rows; stores all of them in memory.")
  private boolean shuffle;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Mean and standard deviation over N shuffled runs, with consecutive seeds from --seed"
              + " on.")
  private int repeat = 1;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "" + Score.DEFAULT_WINDOW,
      description = "Size of the sliding window; ${DEFAULT-VALUE} by default.")
  private int window = Score.DEFAULT_WINDOW;

  @Option(
      names = "--labels",
      paramLabel = "SHARE",
      defaultValue = "1",
      description =
          "Learn from this share of the labels at most: those of the least certain predictions, in"
              + " a regression random ones. All rows are predicted.")
  private double labels = 1;

  @Option(names = "--limit", paramLabel = "N", description = "Stop after N rows.")
  private @Nullable Long limit;

  @Option(names = "--json", description = "Print one JSON object only.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print the result only.")
  private boolean quiet;

  @Option(
      names = "--curve",
      paramLabel = "CSV",
      description =
          "Write the learning curve as CSV, one line per window, with MOA's column names.")
  private @Nullable Path curve;

  @Option(
      names = "--report",
      paramLabel = "HTML",
      description = "Write a self-contained HTML page with tables and plots.")
  private @Nullable Path report;

  @Option(names = "--plot", paramLabel = "FILE", description = "Draw the learning curve, as .svg.")
  private @Nullable Path plot;

  @Mixin private LearnerOptions options = new LearnerOptions();
  @Mixin private DataOptions data = new DataOptions();

  @ArgGroup(validate = false, heading = "%nEncoding of columns, where it should not be inferred:%n")
  private DataOptions.Encodings encodings = new DataOptions.Encodings();

  /** Unusable cells of DATA, then of --test. */
  private final List<UnusableCells> unusable = new ArrayList<>(2);

  public EvaluateCommand() {}

  @Override
  public Integer call() throws IOException {
    check();
    Inputs inputs = Inputs.of(files);
    try (Preview preview =
        new Preview(
            inputs.open(data.labelled()),
            encodings.kinds(),
            options.task(),
            options.mostValues())) {
      LearnerChoice choice = LearnerChoice.of(options, preview);
      EvaluationContext context = context(preview, choice);
      note(String.join(", ", files) + ": " + context.inferred());
      note(preview.inferences());
      note(choice.note() + (shuffled() ? "; rows shuffled" : ""));
      List<Evaluation> evaluations = evaluate(preview, context);
      preview.reader().notes().forEach(this::note);
      unusable.forEach(cells -> cells.notes().forEach(this::note));
      note(OneClassNote.of(context.names()));
      write(evaluations, context);
    }
    return ExitCodes.OK;
  }

  private void note(String text) {
    if (!isSilent() && !text.isEmpty()) {
      spec.commandLine().getErr().println(text);
      spec.commandLine().getErr().flush();
    }
  }

  private boolean isSilent() {
    return quiet || json;
  }

  private void check() {
    UnusedOptions.refuse(spec.commandLine().getParseResult(), options);
    require(repeat >= 1, "--repeat must be at least 1, was " + repeat);
    require(labels > 0 && labels <= 1, "--labels must be in (0, 1], was " + labels);
    require(window >= 1, "--window must be at least 1, was " + window);
    require(limit == null || limit >= 1, "--limit must be at least 1, was " + limit);
    OutputFile.require(curve, report, plot);
    OutputFile.requireSvg(plot);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new UsageException(message);
    }
  }

  private boolean shuffled() {
    return shuffle || repeat > 1;
  }

  private EvaluationContext context(Preview preview, LearnerChoice choice) {
    RowLearner rows = new RowLearner(preview.schema(), preview.target(), choice.learner());
    return new EvaluationContext(
        List.copyOf(files),
        List.copyOf(tests),
        preview.describe()
            + "; scaling "
            + options.scaling().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        preview.target(),
        preview.schema().used(),
        choice.note(),
        rows,
        shuffled(),
        options.seed,
        window);
  }

  private List<Evaluation> evaluate(Preview preview, EvaluationContext context) throws IOException {
    long most = limit == null ? Long.MAX_VALUE : limit;
    RowInstances stream =
        RowInstances.of(preview, context.rows(), data.labelled().onBadRow(), most);
    unusable.add(stream.unusable());
    try (CurveFile file = new CurveFile(curve)) {
      if (!shuffled()) {
        Evaluation evaluation = one(context.rows().learner(), stream, context, file);
        note(stream.skippedNote());
        return List.of(evaluation);
      }
      RowsInMemory stored = RowsInMemory.read(stream.kept(), Runtime.getRuntime().maxMemory());
      note(stream.skippedNote());
      List<Evaluation> evaluations = new ArrayList<>();
      for (int r = 0; r < repeat; r++) {
        options.seed = context.seed() + r;
        Learner learner =
            LearnerChoice.of(
                    options, preview.task(), stored.first(Inference.ROWS), preview.targets())
                .learner();
        Instances order = stored.shuffled(options.seed);
        evaluations.add(one(learner, order, context, r == 0 ? file : new CurveFile(null)));
      }
      return evaluations;
    }
  }

  private Evaluation one(
      Learner learner, Instances stream, EvaluationContext context, CurveFile file)
      throws IOException {
    Evaluator evaluator = new Evaluator(window);
    if (labels < 1) {
      evaluator.learnOnly(LabelBudget.of(labels, options.seed));
    }
    if (!isSilent()) {
      EvaluationText text = new EvaluationText(spec.commandLine().getErr());
      evaluator.listen(Sampling.powersOfTwo(), text::progress);
    }
    if (file.isOpen()) {
      evaluator.listen(Sampling.every(window), file::write);
    }
    Evaluation evaluation;
    if (tests.isEmpty()) {
      evaluation = evaluator.run(learner, stream, null);
    } else {
      try (RowReader reader = Inputs.of(tests).open(data.labelled())) {
        RowInstances heldOut = RowInstances.of(reader, context.rows(), data.labelled().onBadRow());
        evaluation = evaluator.run(learner, stream, heldOut);
        if (unusable.size() == 1) {
          unusable.add(heldOut.unusable());
          reader.notes().forEach(text -> note("held out: " + text));
          note(heldOut.skippedNote());
        }
      }
    }
    if (!json) {
      new EvaluationText(spec.commandLine().getOut()).summary(evaluation, context.names());
    }
    return evaluation;
  }

  private void write(List<Evaluation> evaluations, EvaluationContext context) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode tree = EvaluationJson.of(evaluations, context);
      ArrayNode list = tree.putArray("unusable_cells");
      unusable.forEach(cells -> cells.describe(list));
      out.println(JsonText.text(tree));
    } else if (evaluations.size() > 1) {
      new EvaluationText(out).repeats(evaluations);
    }
    out.flush();
    if (report != null) {
      Files.writeString(report, EvaluationReport.of(evaluations, context));
    }
    if (plot != null) {
      String title = EvaluationText.title(evaluations.get(0), context);
      Files.writeString(plot, CurveSvg.file(evaluations.get(0), title, window));
    }
  }
}
