// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.RefusedModelException;
import io.github.avm4j.serve.models.ServedModel;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** Hostile rows: predicted, or refused with a Problem; never anything else. */
class RowsFuzzTest {
  private static final Limits LIMITS = new Limits(1 << 20, 1000, 10_000, 10, 10);
  private static final ServedModel WAVES = load(TestModels.numbered(3, 10, 1).toBytes());
  private static final ServedModel PEOPLE = load(TestModels.people(1).toBytes());

  private static ServedModel load(byte[] file) {
    EventLog silent =
        new EventLog(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            Clock.systemUTC());
    try {
      return new ModelRepository(1, silent, Clock.systemUTC())
          .load(new Arrival("m", "", 1, "test", null), file);
    } catch (RefusedModelException e) {
      throw new IllegalStateException(e);
    }
  }

  @FuzzTest(maxDuration = "10s")
  void rows(byte[] body) {
    for (ServedModel model : new ServedModel[] {WAVES, PEOPLE}) {
      try {
        Json.read(
            body,
            0,
            body.length,
            parser ->
                new RowReader(model.encoding(), LIMITS)
                    .read(parser, x -> Predict.predict(model, x, 0)));
      } catch (Problem e) {
        // what is meant to happen
      }
    }
  }
}
