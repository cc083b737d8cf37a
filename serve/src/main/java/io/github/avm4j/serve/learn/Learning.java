// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.config.Task;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.ModelRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Learns rows by their labels, which come with them or later. To let a row wait for its label takes
 * a copy of references at most.
 */
public final class Learning extends LearnThread {
  /** Most rows of a request: some seconds of learning. */
  public static final int MOST_ROWS = 1_000;

  private final LearnerFile file;
  private final WaitingRows waiting;
  private final String byDefault;
  private final String target;
  private final boolean numbers;
  private volatile State state;

  // Of the thread alone.
  private long refused;
  private @Nullable Task deciding;
  private final Set<String> labelled = new HashSet<>();

  /**
   * The state at one moment.
   *
   * @param rows rows learned, also before this start
   * @param before rows of the file that the start read; errors are counted from there on
   * @param isInferring whether columns are still inferred anew with each row
   * @param judged rows since the start that were predicted before they were learned
   * @param loss mistakes among them, or the sum of squared errors
   * @param baselineLoss the same of a constant prediction
   * @param error share of mistakes, or root mean squared error, of the last 100
   * @param baseline the same of the constant prediction
   * @param refused rows that could not be learned
   * @param modelRows rows that the published model has learned
   * @param curve how error and baseline went since the start
   */
  public record State(
      long rows,
      long before,
      boolean isInferring,
      long judged,
      double loss,
      double baselineLoss,
      double error,
      double baseline,
      long refused,
      long modelRows,
      List<LearnCurve.Point> curve) {}

  /**
   * Learns what the journal of a folder has, and publishes a model if it can predict. Nothing runs
   * before {@link #start}.
   *
   * @param byDefault the label of rows that get none in time; empty to drop them
   * @throws IOException if the folder cannot be used
   */
  public Learning(
      LearnFolder folder, String byDefault, WaitingRows waiting, ModelRepository repository)
      throws IOException {
    this(folder, new LearnerFile(folder, waiting, repository), byDefault, waiting);
  }

  private Learning(LearnFolder folder, LearnerFile file, String byDefault, WaitingRows waiting)
      throws IOException {
    super(folder, List.of(file));
    this.file = file;
    this.waiting = waiting;
    this.byDefault = byDefault;
    target = file.learner().ownTarget();
    numbers = file.learner().task() == Task.REGRESSION;
    if (!byDefault.isEmpty() && numbers) {
      Truths.number(byDefault);
    }
    state = current();
  }

  /** The name of its model. */
  public String name() {
    return file.name();
  }

  /** The column of the truth, if its file names one; else empty. */
  public String target() {
    return target;
  }

  /** Whether that column holds numbers. */
  boolean learnsNumbers() {
    return numbers;
  }

  /** The rows that wait for their labels. */
  public WaitingRows waiting() {
    return waiting;
  }

  /** The state as it is now, or was a moment ago. */
  public State state() {
    return state;
  }

  /** Learns the row that waits under an id. */
  CompletableFuture<State> label(String id, Truth truth) {
    return add(new Lesson(id, List.of(), truth));
  }

  /** Learns rows. */
  CompletableFuture<State> learn(List<TaughtRow> rows) {
    return add(new Lesson("", rows, null));
  }

  private CompletableFuture<State> add(Lesson lesson) {
    super.add(lesson);
    return lesson.done;
  }

  /** Rows with their truths, or the truth of the row that waits under an id. */
  private final class Lesson implements Request {
    private final String id;
    private final @Nullable Truth truth;
    private final CompletableFuture<State> done = new CompletableFuture<>();
    private List<TaughtRow> rows;

    Lesson(String id, List<TaughtRow> rows, @Nullable Truth truth) {
      this.id = id;
      this.rows = rows;
      this.truth = truth;
    }

    @Override
    public Pupil pupil() {
      return file;
    }

    @Override
    public int size() {
      return Math.max(1, rows.size());
    }

    @Override
    public byte[] lines() {
      if (truth == null) {
        rows.forEach(row -> check(row.truth()));
      } else {
        check(truth);
        rows = List.of(new TaughtRow(waitingRow(id), truth, id));
      }
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      for (TaughtRow row : rows) {
        String refusal = file.learner().refusal(row);
        if (!refusal.isEmpty()) {
          throw Problem.badRequest(refusal);
        }
        lines.writeBytes(file.line(row));
      }
      return lines.toByteArray();
    }

    @Override
    public void learn(boolean last) {
      if (!id.isEmpty()) {
        waiting.settle(id); // not taken: it may have been dropped meanwhile
      }
      int bad = 0;
      String reason = "";
      for (int k = 0; k < rows.size(); k++) {
        try {
          file.learn(rows.get(k), last && k == rows.size() - 1);
        } catch (IllegalArgumentException | IllegalStateException e) {
          bad++;
          reason = String.valueOf(e.getMessage());
        }
      }
      refused += bad;
      if (bad > 0) {
        fail(Problem.badRequest(bad + " of " + rows.size() + " rows were not learned: " + reason));
      }
    }

    @Override
    public void reply() {
      done.complete(state);
    }

    @Override
    public void fail(RuntimeException reason) {
      done.completeExceptionally(reason);
    }
  }

  @Override
  void begin() {
    deciding = file.learner().task();
    labelled.clear();
  }

  private Map<String, Object> waitingRow(String id) {
    try {
      Map<String, Object> cells = waiting.find(id);
      if (!labelled.add(id)) {
        throw new IllegalStateException(
            "the row '" + id + "' has two labels at once; it is learned with the first");
      }
      return cells;
    } catch (NoSuchElementException e) {
      throw Problem.notFound(e.getMessage() + " (POST /v1/learn)");
    } catch (IllegalStateException e) {
      throw Problem.conflict(String.valueOf(e.getMessage()));
    }
  }

  /** Of a learner that has learned nothing, the first truth decides the task. */
  private void check(Truth truth) {
    Truths.check(truth, deciding);
    deciding = truth.isNumber() ? Task.REGRESSION : Task.CLASSIFICATION;
  }

  /** Rows without a label in time. */
  @Override
  @Nullable Request nobody() {
    List<TaughtRow> rows = new ArrayList<>();
    Task task = file.learner().task();
    for (WaitingRows.Waited one : waiting.expire()) {
      if (!byDefault.isEmpty() && task != null) {
        rows.add(new TaughtRow(one.row(), new Truth(byDefault, task == Task.REGRESSION), ""));
      }
    }
    return rows.isEmpty() ? null : new Lesson("", rows, null);
  }

  @Override
  void end() {
    state = current();
  }

  private State current() {
    LoopLearner learner = file.learner();
    LearnErrors.Summary errors = learner.errors().summary();
    return new State(
        learner.rows(),
        learner.before(),
        learner.isInferring(),
        errors.judged(),
        errors.loss(),
        errors.baselineLoss(),
        errors.recent(),
        errors.recentBaseline(),
        refused,
        file.modelRows(),
        errors.curve());
  }
}
