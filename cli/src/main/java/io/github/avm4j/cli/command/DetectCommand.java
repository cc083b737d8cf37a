// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.Avm;
import io.github.avm4j.DetectorBuilder;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.cli.input.Inputs;
import io.github.avm4j.cli.input.KeptColumns;
import io.github.avm4j.cli.input.RowProblem;
import io.github.avm4j.cli.input.UnusableCells;
import io.github.avm4j.cli.option.DataOptions;
import io.github.avm4j.cli.report.AlarmTally;
import io.github.avm4j.cli.report.AlarmWriter;
import io.github.avm4j.cli.report.OutputFile;
import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowDetector;
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

/** The command {@code avm detect}: anomalies in a stream of rows, without labels. */
@Command(
    name = "detect",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Find anomalies in a stream of rows, without labels.",
      "",
      "One CSV line per row: the p-value (small for anomalies), the score (a distance to recent"
          + " rows, in units of scaled features), whether it is an alarm, and for alarms the"
          + " features they are due to with the values expected. Each row is judged by the rows"
          + " before it, then learned.",
      "",
      "A row whose p-value is at most --alarm is an alarm; about that share of normal rows is."
          + " Every column is a feature, except the one that --label names. Labels are never"
          + " learned from; with --label and --normal they score the alarms."
    },
    footer = {
      "",
      "Examples:",
      "  avm detect customers.csv --only-alarms --keep customer_id",
      "  avm detect shuttle.csv --label Class --normal Rad.Flow -o alarms.csv",
      "  avm detect customers.csv -o alarms.csv --save customers.avm"
    })
public final class DetectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "Files, read in this order; - is standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--alarm",
      paramLabel = "P",
      defaultValue = "0.01",
      description = "P-values up to this are alarms; ${DEFAULT-VALUE} by default.")
  private double alarm = DetectorConfig.DEFAULT.alarm();

  @Option(
      names = "--normal",
      paramLabel = "VALUE",
      description =
          "Rows whose label is VALUE are normal, all others anomalies: print the AUC and the shares"
              + " of both that were alarms.")
  private @Nullable String normal;

  @Option(names = "--only-alarms", description = "Write the rows with an alarm only.")
  private boolean onlyAlarms;

  @Option(
      names = "--keep",
      paramLabel = "COLUMN",
      split = ",",
      description = "Columns of the input, such as an id, to copy before each p-value.")
  private List<String> keep = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "File of the result; standard output by default.")
  private @Nullable Path output;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Save the detector after the last row, for avm serve or a Java program.")
  private @Nullable Path save;

  @Option(
      names = "--budget",
      paramLabel = "N",
      defaultValue = "512",
      description = "Number of core points; ${DEFAULT-VALUE} by default.")
  private int budget = DetectorConfig.DEFAULT.budget();

  @Option(
      names = "--forgetting",
      paramLabel = "FACTOR",
      defaultValue = "0.9998",
      description = "Forgetting factor per row, 1 never forgets; ${DEFAULT-VALUE} by default.")
  private double forgetting = DetectorConfig.DEFAULT.forgetting();

  @Option(
      names = "--protection",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Do not learn extreme rows, unless most rows are; true by default.")
  private boolean protection = true;

  @Option(
      names = "--features",
      paramLabel = "N",
      description = "Number of features of LIBSVM rows; by default that of the first 1000 rows.")
  private @Nullable Integer features;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the random choice of core points; ${DEFAULT-VALUE} by default.")
  private long seed = 1;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print the result and errors only.")
  private boolean quiet;

  @ArgGroup(validate = false, heading = "%nThe rows:%n")
  private DataOptions data = new DataOptions();

  @ArgGroup(validate = false, heading = "%nEncoding of columns, where it should not be inferred:%n")
  private DataOptions.Encodings encodings = new DataOptions.Encodings();

  /** The number that {@link #normal} is; NaN if it is none. */
  private double normalNumber = Double.NaN;

  public DetectCommand() {}

  @Override
  public Integer call() throws IOException {
    OutputFile.require(output, save);
    DetectorBuilder settings = settings();
    try (Preview preview =
        new Preview(
            Inputs.of(files).open(options()),
            encodings.kinds(),
            Task.CLASSIFICATION,
            SchemaFitter.MOST_VALUES)) {
      String label = data.labelled().label();
      if (label != null && preview.target().isEmpty() && !preview.schema().isNumbered()) {
        throw new AvmException(
            "no column \"%s\" for the label; the columns are %s"
                .formatted(label, String.join(", ", preview.reader().columns())));
      }
      if (normal != null && preview.target().isEmpty() && !preview.schema().isNumbered()) {
        throw new UsageException("--normal needs --label COLUMN: the column that holds the labels");
      }
      // New values of a category must not make new features.
      Schema schema = preview.schema().closed();
      Detector detector = settings.features(features(preview, schema)).build();
      AlarmTally tally = new AlarmTally();
      if (output == null) {
        detect(preview, schema, detector, spec.commandLine().getOut(), tally);
      } else {
        try (Writer file = Files.newBufferedWriter(output)) {
          detect(preview, schema, detector, file, tally);
        }
      }
      preview.reader().notes().forEach(this::note);
      note(tally.summary());
      if (save != null) {
        Avm.save(new RowDetector(schema, detector).toBytes(), save);
      }
    }
    return ExitCodes.OK;
  }

  /** A column is the label only if it is named: all others are features. */
  private ReaderOptions options() {
    ReaderOptions options = data.unlabelled("");
    return options.label() == null ? options.withLabel("") : options;
  }

  private boolean isNormal(Row row) {
    String text = row.labelText();
    return text.equals(normal) || number(text) == normalNumber;
  }

  private static double number(@Nullable String text) {
    try {
      return text == null ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private DetectorBuilder settings() {
    if (alarm < 1.0 / DetectorConfig.MAX_CALIBRATION) {
      throw new UsageException("--alarm must be at least 0.000001, was " + alarm);
    }
    try {
      int scores = (int) Math.min(DetectorConfig.MAX_CALIBRATION, Math.ceil(10 / alarm));
      DetectorBuilder settings =
          Avm.detector()
              .alarm(alarm)
              .calibration(Math.max(DetectorConfig.DEFAULT.calibration(), scores))
              .budget(budget)
              .forgetting(forgetting)
              .protection(protection)
              .seed(seed);
      settings.config();
      return settings;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--" + e.getMessage());
    }
  }

  private int features(Preview preview, Schema schema) {
    return !schema.isNumbered()
        ? schema.dimension()
        : features == null ? preview.features() : features;
  }

  private void detect(
      Preview preview, Schema schema, Detector detector, Writer target, AlarmTally tally)
      throws IOException {
    Writer out = new BufferedWriter(target, 1 << 16);
    RowEncoder encoder = schema.encoder(preview.reader().columns());
    KeptColumns kept = KeptColumns.of(keep, preview.reader());
    AlarmWriter alarms = new AlarmWriter(detector, schema, kept, onlyAlarms, out);
    UnusableCells unusable = new UnusableCells(schema, encoder);
    normalNumber = number(normal);
    Row row = new Row();
    alarms.header();
    try {
      while (preview.next(row)) {
        FeatureVector x = encoder.encode(row);
        boolean alarmed = alarms.write(x, row);
        if (normal == null || row.labelKind() == Row.Kind.MISSING) {
          tally.add(alarmed);
        } else {
          tally.add(detector.lastScore(), alarmed, !isNormal(row));
        }
        unusable.count(row, preview::position);
      }
    } catch (IllegalArgumentException e) {
      throw new AvmException(preview.position() + ": " + RowProblem.text(e, schema), e);
    } finally {
      out.flush();
    }
    if (target instanceof PrintWriter printer && printer.checkError()) {
      throw new AvmException(
          "the result could not be written: was the output closed, or is the disk full?");
    }
    unusable.notes().forEach(this::note);
  }

  private void note(String text) {
    if (!quiet) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(text);
      err.flush();
    }
  }
}
