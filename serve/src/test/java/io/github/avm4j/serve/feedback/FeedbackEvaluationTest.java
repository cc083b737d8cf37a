// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.follow.Arrival;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.RowPrediction;
import io.github.avm4j.serve.models.ServedModel;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FeedbackEvaluationTest {
  private static ServedModel model(RowModel rows, long version) throws Exception {
    EventLog log = new EventLog(System.err, Clock.systemUTC());
    Arrival arrival = new Arrival("m", "", version, "test", Instant.EPOCH);
    ServedModel loaded =
        new ModelRepository(1, log, Clock.systemUTC()).load(arrival, rows.toBytes());
    assertNotNull(loaded);
    return loaded;
  }

  private static FeedbackErrors.Summary summary(FeedbackEvaluation evaluation) {
    FeedbackErrors errors = evaluation.of("m");
    assertNotNull(errors);
    return errors.summary();
  }

  @Test
  void predictionsAreScoredOnceAndStrangersCounted() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    FeedbackEvaluation evaluation = new FeedbackEvaluation();
    assertNull(evaluation.of("m"));
    evaluation.remember("a", "me", people, new RowPrediction(0, 1, 1, null), false);
    evaluation.remember("b", "me", people, new RowPrediction(1, 1, 1, null), false);
    evaluation.judge("a", people.className(0), 0);
    evaluation.judge("a", people.className(1), 0);
    evaluation.judge("b", people.className(0), 0);
    evaluation.judge("c", people.className(0), 0);
    assertEquals(2, summary(evaluation).judged());
    assertEquals(1, summary(evaluation).loss());
    assertEquals(0.5, summary(evaluation).error());
    assertEquals(2, evaluation.unmatched(), "a second label and one of an unknown id");
  }

  @Test
  void memoryIsBoundedAndForgetsTheOldest() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    FeedbackEvaluation evaluation = new FeedbackEvaluation();
    int predictions = 3 * FeedbackEvaluation.PLACES;
    for (int k = 0; k < predictions; k++) {
      evaluation.remember("row-" + k, "me", people, new RowPrediction(0, 1, 1, null), false);
    }
    for (int k = 0; k < predictions; k++) {
      evaluation.judge("row-" + k, people.className(0), 0);
    }
    long judged = summary(evaluation).judged();
    assertTrue(judged <= FeedbackEvaluation.PLACES / 2, "judged " + judged);
    assertTrue(judged > 0.99 * FeedbackEvaluation.PLACES / 2, "judged " + judged);
    assertEquals(predictions, judged + evaluation.unmatched());
  }

  @Test
  void aFloodReplacesNobodyElsesPredictions() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    FeedbackEvaluation evaluation = new FeedbackEvaluation();
    for (int k = 0; k < 200; k++) {
      evaluation.remember("late-" + k, "me", people, new RowPrediction(0, 1, 1, null), false);
    }
    for (int k = 0; k < 3 * FeedbackEvaluation.PLACES; k++) {
      evaluation.remember("flood-" + k, "other", people, new RowPrediction(0, 1, 1, null), false);
    }
    for (int k = 0; k < 200; k++) {
      evaluation.judge("late-" + k, people.className(0), 0);
    }
    assertEquals(0, evaluation.unmatched());
  }

  @Test
  void whileFewWaitNoneIsLost() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    FeedbackEvaluation evaluation = new FeedbackEvaluation();
    for (int k = 0; k < 500_000; k++) {
      evaluation.remember(
          "day-" + k / 48 + "/" + k % 48, "me", people, new RowPrediction(0, 1, 1, null), false);
      int old = k - 200;
      if (old >= 0) {
        evaluation.judge("day-" + old / 48 + "/" + old % 48, people.className(0), 0);
      }
    }
    assertEquals(0, evaluation.unmatched());
  }

  @Test
  void errorsAreSharesOrRoots() {
    FeedbackErrors classes = new FeedbackErrors(false);
    FeedbackErrors numbers = new FeedbackErrors(true);
    for (int k = 0; k < 8; k++) {
      classes.add(k % 4 == 0 ? 1 : 0, k % 2 == 0);
      numbers.add(4, false);
    }
    assertEquals(new FeedbackErrors.Summary(8, 4, 2, 0.25), classes.summary());
    assertEquals(new FeedbackErrors.Summary(8, 0, 32, 2), numbers.summary());
  }
}
