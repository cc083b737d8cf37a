// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.export.LibsvmWriter;
import io.github.avm4j.export.NotExpressibleException;
import io.github.avm4j.export.OnnxOptions;
import io.github.avm4j.export.OnnxWriter;
import io.github.avm4j.export.PmmlWriter;
import io.github.avm4j.export.Precision;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm export}: writes a model in another tool's format. */
@Command(
    name = "export",
    sortOptions = false,
    description = {
      "Export a model as ONNX, PMML or LIBSVM.",
      "",
      "The file extension selects the format: .onnx, .pmml (or .xml), .libsvm (or .model). ONNX"
          + " supports every kernel; PMML and LIBSVM support the Gaussian kernel. ONNX and PMML"
          + " include encoding and scaling, LIBSVM does not. A model that a format cannot represent"
          + " exactly is rejected with the reason."
    },
    footer = {
      "",
      "Inputs and outputs:",
      "  ONNX     'features' (rows by features) if all columns are numbers, else one input per"
          + " column;",
      "           'prediction', and of classes 'probabilities' and 'scores'",
      "  PMML     fields named as the columns, or x1, x2 ...; the target's name",
      "  LIBSVM   svm-predict rows.txt model.libsvm predictions.txt",
      "",
      "Examples:",
      "  avm export flights.avm flights.onnx",
      "  avm export a9a.avm a9a.onnx --float --features 123",
      "  avm export a9a.avm a9a.libsvm && svm-predict a9a.t a9a.libsvm predictions.txt"
    })
public final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "MODEL", description = "Model file written by avm train.")
  private Path model = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "File to write; its extension selects the format.")
  private Path output = Path.of("");

  @Option(
      names = "--float",
      description = "ONNX: 32-bit floats; half the size, about five significant digits.")
  private boolean single;

  @Option(
      names = "--features",
      paramLabel = "N",
      description =
          "ONNX and PMML: number of LIBSVM features; by default those the model has seen.")
  private int features;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  private boolean quiet;

  public ExportCommand() {}

  @Override
  public Integer call() throws IOException {
    String name = output.toString().toLowerCase(Locale.ROOT);
    String extension = name.substring(name.lastIndexOf('.') + 1);
    boolean onnx = extension.equals("onnx");
    boolean pmml = extension.equals("pmml") || extension.equals("xml");
    if (!onnx && !pmml && !extension.equals("libsvm") && !extension.equals("model")) {
      throw new UsageException(output + ": unknown extension; use .onnx, .pmml or .libsvm");
    }
    if (features < 0 || features > 0 && !onnx && !pmml) {
      throw new UsageException(
          "--features must be >= 0 and applies to ONNX and PMML only, was " + features);
    }
    if (single && !onnx) {
      throw new UsageException("--float applies to ONNX only; remove it");
    }
    RowModel rows = ModelFile.read(model);
    byte[] bytes;
    try {
      bytes =
          onnx ? onnx(rows) : pmml ? PmmlWriter.write(rows, features) : LibsvmWriter.write(rows);
    } catch (NotExpressibleException e) {
      throw new AvmException(model + ": " + e.getMessage(), e);
    }
    Avm.save(bytes, output);
    if (!quiet) {
      PrintWriter err = spec.commandLine().getErr();
      err.printf("%s: %d core points, %d bytes%n", output, rows.model().size(), bytes.length);
      err.flush();
    }
    return ExitCodes.OK;
  }

  private byte[] onnx(RowModel rows) {
    Precision precision = single ? Precision.FLOAT : Precision.DOUBLE;
    return OnnxWriter.write(rows, OnnxOptions.of(precision).withFeatures(features));
  }
}
