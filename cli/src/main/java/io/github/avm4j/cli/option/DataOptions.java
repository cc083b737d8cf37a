// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.data.Format;
import io.github.avm4j.data.Header;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.feature.Column;
import io.github.avm4j.model.AvmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for reading rows, shared by all commands that read data. */
public final class DataOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "auto",
      converter = FormatConverter.class,
      completionCandidates = FormatNames.class,
      description =
          "${COMPLETION-CANDIDATES}; auto infers it from the file name and the first lines.")
  private Format format = Format.AUTO;

  @Option(
      names = {"--label", "--target"},
      paramLabel = "COLUMN",
      description =
          "Column to predict, by name or number (1 is the first, -1 the last). By default the"
              + " column named label, class, target or outcome, or y or price if it is the first or"
              + " last one; else the last. avm predict and explain take the model's, avm detect"
              + " none.")
  private @Nullable String label;

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description = "Column of the weights of rows; all weights are 1 by default.")
  private @Nullable String weight;

  @Option(
      names = "--ignore",
      paramLabel = "COLUMN",
      split = ",",
      description = "Columns not to read.")
  private List<String> ignored = new ArrayList<>();

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      converter = DelimiterConverter.class,
      description = "CSV delimiter: a character, tab, or space for any run of blanks.")
  private @Nullable Character delimiter;

  @Option(
      names = "--header",
      negatable = true,
      description = "Whether CSV begins with column names; inferred by default.")
  private @Nullable Boolean header;

  @Option(names = "--zero-based", description = "LIBSVM indices start at 0, not at 1.")
  private boolean zeroBased;

  @Option(
      names = "--missing",
      paramLabel = "TEXT",
      split = ",",
      description =
          "More texts and numbers for missing values, besides empty, ?, NA, N/A, NaN, null and none"
              + " (in ARFF besides ?). They are saved with the model, and hold for all rows that it"
              + " reads.")
  private List<String> missing = new ArrayList<>();

  @Option(
      names = "--on-bad-row",
      paramLabel = "fail|skip",
      description =
          "Stop at a row that cannot be read, or skip and count it. By default rows that only lack"
              + " their label are skipped, other bad rows stop the command.")
  private OnBadRow onBadRow = OnBadRow.SKIP_UNLABELLED;

  public DataOptions() {}

  /** Column of the label, null if not set. */
  @Nullable String label() {
    return label;
  }

  /** Reader options for rows that must have a label. */
  public ReaderOptions labelled() {
    return options(label);
  }

  /** Reader options for rows to predict; the column {@code target} is optional. */
  public ReaderOptions unlabelled(String target) {
    String name = label != null ? label : target.isEmpty() ? null : target;
    return options(name).withHasLabel(false);
  }

  private ReaderOptions options(@Nullable String labelName) {
    return ReaderOptions.defaults()
        .withFormat(format)
        .withLabel(labelName)
        .withWeight(weight)
        .withIgnored(ignored)
        .withDelimiter(delimiter)
        .withHeader(header == null ? Header.AUTO : header ? Header.YES : Header.NO)
        .withZeroBased(zeroBased)
        .withMissing(missing)
        .withOnBadRow(onBadRow);
  }

  /** Names of formats on the command line. */
  static final class FormatNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    FormatNames() {
      super(NAMES.keySet().stream().sorted().toList());
    }
  }

  private static final Map<String, Format> NAMES =
      Map.of(
          "auto", Format.AUTO,
          "libsvm", Format.LIBSVM,
          "csv", Format.CSV,
          "arff", Format.ARFF,
          "jsonl", Format.JSONL,
          "parquet", Format.PARQUET);

  /** Converts the name of a format. */
  static final class FormatConverter implements ITypeConverter<Format> {
    FormatConverter() {}

    @Override
    public Format convert(String value) {
      Format format = NAMES.get(value.toLowerCase(java.util.Locale.ROOT));
      if (format == null) {
        throw new TypeConversionException(
            "'" + value + "' is not a format; use one of " + String.join(", ", new FormatNames()));
      }
      return format;
    }
  }

  /** Converts a character or its name. */
  static final class DelimiterConverter implements ITypeConverter<Character> {
    DelimiterConverter() {}

    @Override
    public Character convert(String value) {
      return switch (value) {
        case "tab", "\\t" -> '\t';
        case "space" -> ' ';
        case "comma" -> ',';
        default -> {
          if (value.length() != 1) {
            throw new TypeConversionException(
                "'" + value + "' is not a delimiter; use one character, tab, space or comma");
          }
          yield value.charAt(0);
        }
      };
    }
  }

  /** Options for the encoding of columns where it should not be inferred. */
  public static final class Encodings {
    @Option(
        names = "--category",
        paramLabel = "COLUMN",
        split = ",",
        description =
            "One feature per value, even if the values are numbers or all differ; a new value gets"
                + " a feature when it first occurs.")
    private List<String> categories = new ArrayList<>();

    @Option(
        names = "--number",
        paramLabel = "COLUMN",
        split = ",",
        description = "One feature, even if the column looks like an identifier.")
    private List<String> numbers = new ArrayList<>();

    @Option(
        names = "--hashed",
        paramLabel = "COLUMN",
        split = ",",
        description =
            "Hash the values into at least 64 features, about two per value of the first rows.")
    private List<String> hashed = new ArrayList<>();

    @Option(
        names = "--drop",
        paramLabel = "COLUMN",
        split = ",",
        description = "No feature: the model lists the column and ignores it.")
    private List<String> dropped = new ArrayList<>();

    public Encodings() {}

    /** Kinds set by the user, by column name. */
    public Map<String, Column.Kind> kinds() {
      Map<String, Column.Kind> kinds = new HashMap<>();
      put(kinds, categories, Column.Kind.CATEGORY);
      put(kinds, numbers, Column.Kind.NUMBER);
      put(kinds, hashed, Column.Kind.HASHED);
      put(kinds, dropped, Column.Kind.DROPPED);
      return kinds;
    }

    private static void put(Map<String, Column.Kind> kinds, List<String> names, Column.Kind kind) {
      for (String name : names) {
        Column.Kind before = kinds.put(name, kind);
        if (before != null && before != kind) {
          throw new AvmException(
              "column " + name + " is set as both " + before + " and " + kind + ": set it once");
        }
      }
    }
  }
}
