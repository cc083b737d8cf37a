// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.inference.RowSource;
import io.github.avm4j.cli.progress.Progress;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.data.Position;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {
  private static final int ROWS = 100;

  @TempDir private Path folder;
  private final RowLearner rows =
      new RowLearner(Schema.builder().number("a").build(), "y", Avm.regressor().build());
  private Training training;
  private Thread stopper;

  /** Rows without end. */
  private static final class Endless implements RowSource {
    @Override
    public boolean next(Row row) {
      row.reset(1);
      row.setNumber(0, 1);
      row.setLabel(1);
      return true;
    }

    @Override
    public Position position() {
      return new Position("endless", 1);
    }
  }

  /** Stops the training within a row, as Ctrl-C does, and waits until that is under way. */
  private final Progress stopsWithinARow =
      new Progress() {
        @Override
        public void row(State state) {
          if (state.rows() == ROWS) {
            stopper.start();
            while (stopper.getState() != Thread.State.BLOCKED) {
              Thread.onSpinWait();
            }
          }
        }

        @Override
        public void end(State state) {}
      };

  private void stop() {
    try {
      training.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noRowIsLearnedBeforeThatWhichWaitsToStop() throws Exception {
    Path model = folder.resolve("m.avm");
    training =
        new Training(
            rows,
            RowInstances.of(new Endless(), List.of("a"), rows, OnBadRow.FAIL, Long.MAX_VALUE),
            model,
            new SaveEvery(0, 0),
            stopsWithinARow,
            () -> Double.NaN,
            System::nanoTime);
    stopper = new Thread(this::stop);
    assertFalse(training.run());
    stopper.join();
    assertEquals(ROWS, RowLearner.read(Files.readAllBytes(model)).learner().instances());
  }
}
