// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.LearningCurve;
import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** CSV file of a learning curve (--curve); writes nothing without a path. */
public final class CurveFile implements AutoCloseable {
  private final @Nullable PrintWriter out;
  private final @Nullable LearningCurve writer;

  public CurveFile(@Nullable Path path) throws IOException {
    out = path == null ? null : new PrintWriter(Files.newBufferedWriter(path));
    writer = out == null ? null : new LearningCurve(out);
  }

  public boolean isOpen() {
    return out != null;
  }

  public void write(CurvePoint point) {
    try {
      if (writer != null) {
        writer.write(point);
      }
    } catch (IOException e) {
      throw new AvmException("cannot write the learning curve (--curve): " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (out != null && out.checkError()) {
      throw new AvmException("cannot write the learning curve (--curve): is the disk full?");
    }
    if (out != null) {
      out.close();
    }
  }
}
