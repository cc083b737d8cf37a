// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Parquet with flat columns of numbers, truth values, text, dates or timestamps. Needs random
 * access, so anything but a plain file is first copied to a temporary one.
 */
final class ParquetRows extends Rows {
  private static final long LARGEST_COPY = 1L << 36;

  private final ParquetReader<Cells, Cells, Integer> reader;
  private final @Nullable Path copy;
  private final Layout layout;
  private final Cells cells;
  private final List<@Nullable LogicalTypeAnnotation> types = new ArrayList<>();
  private long line;

  private ParquetRows(
      Input input, ReaderOptions options, @Nullable Layout first, Path file, @Nullable Path copy)
      throws IOException {
    this.copy = copy;
    MessageType schema = ParquetReader.readMetadata(file.toFile()).getFileMetaData().getSchema();
    Map<String, Integer> numbers = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (Type field : schema.getFields()) {
      if (!field.isPrimitive() || field.isRepetition(Type.Repetition.REPEATED)) {
        throw new BadFileException(
            input.name()
                + ": column "
                + field.getName()
                + " is nested, and only flat columns can be read: flatten it, or leave it out"
                + " (--ignore)");
      }
      types.add(field.getLogicalTypeAnnotation());
      numbers.put(field.getName(), names.size());
      names.add(field.getName());
    }
    layout = Layout.of(input.name(), names, options);
    requireSame(input.name(), layout, first);
    cells = new Cells(input.name(), layout, options);
    reader =
        ParquetReader.spliterator(
            file.toFile(), new Filler(), path -> numbers.getOrDefault(path[0], 0));
  }

  static Rows open(Input input, ReaderOptions options, @Nullable Layout first) throws IOException {
    Path plain = input.plain();
    Path file = plain == null ? copy(input) : plain;
    Path copy = plain == null ? file : null;
    try {
      ParquetRows rows = new ParquetRows(input, options, first, file, copy);
      input.close();
      return rows;
    } catch (IOException | RuntimeException e) {
      if (copy != null) {
        Files.deleteIfExists(copy);
      }
      throw e;
    }
  }

  private static Path copy(Input input) throws IOException {
    Path copy = Files.createTempFile("avm4j", ".parquet");
    long size = 0;
    try (OutputStream out = Files.newOutputStream(copy)) {
      byte[] buffer = new byte[1 << 16];
      InputStream in = input.stream();
      for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
        size += got;
        if (size > LARGEST_COPY) {
          throw new BadFileException(input.name() + ": more than " + LARGEST_COPY + " bytes");
        }
        out.write(buffer, 0, got);
      }
    } catch (IOException | BadFileException e) {
      Files.deleteIfExists(copy);
      throw e;
    }
    return copy;
  }

  @Override
  Layout layout() {
    return layout;
  }

  @Override
  CellReader cells() {
    return cells.reader();
  }

  @Override
  boolean read(Row row) throws IOException {
    cells.begin(row);
    if (!reader.tryAdvance(filled -> {})) {
      return false;
    }
    line++;
    cells.finish(layout.names().size(), line);
    return true;
  }

  private void put(int column, @Nullable Object value) {
    if (value == null || layout.role(column) == Layout.IGNORED) {
      return;
    }
    LogicalTypeAnnotation type = types.get(column);
    if (type instanceof DecimalLogicalTypeAnnotation decimal) {
      BigDecimal number = new BigDecimal(value.toString());
      cells.value(
          column, value instanceof Number ? number.movePointLeft(decimal.getScale()) : number);
    } else if (type instanceof DateLogicalTypeAnnotation) {
      cells.value(column, LocalDate.ofEpochDay(((Number) value).longValue()));
    } else if (type instanceof TimestampLogicalTypeAnnotation time && value instanceof Long units) {
      ChronoUnit unit =
          switch (time.getUnit()) {
            case MILLIS -> ChronoUnit.MILLIS;
            case MICROS -> ChronoUnit.MICROS;
            case NANOS -> ChronoUnit.NANOS;
          };
      Instant instant = Instant.EPOCH.plus(units, unit);
      cells.value(
          column,
          time.isAdjustedToUTC() ? instant : LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    } else {
      cells.value(column, value);
    }
  }

  @Override
  long line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    reader.close();
    if (copy != null) {
      Files.deleteIfExists(copy);
    }
  }

  private final class Filler implements Hydrator<Cells, Cells, Integer> {
    @Override
    public Cells start() {
      return cells;
    }

    @Override
    public Cells add(Cells target, Integer column, Object value) {
      put(column, value);
      return target;
    }

    @Override
    public Cells finish(Cells target) {
      return target;
    }
  }
}
