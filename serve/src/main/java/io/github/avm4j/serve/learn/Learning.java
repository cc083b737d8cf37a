// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.config.Task;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.ModelRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Learns what callers teach, on a thread of its own, and publishes what it has become.
 *
 * <ol>
 *   <li>Predictions never wait for it. They use the newest model published; to let their rows wait
 *       for a label takes a copy of references at most.
 *   <li>A row is in the journal before it is learned, and learned before its caller has a reply. So
 *       the state is at every moment that of one learner which learned the rows of the file and of
 *       its journal in order.
 *   <li>A model is published as soon as nine times the time that the last one took have passed: a
 *       tenth of the thread's time at most goes into models, and they are less than a second old as
 *       long as one takes less than a ninth of a second. {@link State#modelMillis} shows what one
 *       takes.
 *   <li>A save takes at most a twentieth of the time for the same reason; the journal makes rare
 *       saves safe.
 *   <li>A full queue refuses. Its bound is in rows, since these cost time.
 * </ol>
 */
public final class Learning implements AutoCloseable {
  /** Most rows of a request: some seconds of learning. */
  public static final int MOST_ROWS = 1_000;

  private static final int MOST_QUEUED = 20_000;
  private static final int BATCH_ROWS = 1_000;
  private static final int MODEL_SHARE = 9;
  private static final int SAVE_SHARE = 19;
  private static final long MOST_WAIT_MILLIS = 200;

  private final LearnFolder folder;
  private final WaitingRows waiting;
  private final String byDefault;
  private final ModelRepository repository;
  private final EventLog log;
  private final Clock clock;
  private final long saveNanos;
  private final String source;
  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "avm-learn");
  private int queued;
  private boolean closing;
  private volatile State state;
  private final String target;
  private final boolean numbers;

  // Of the thread alone.
  private long publishedRows = -1;
  private long nextModel = System.nanoTime();
  private double modelMillis;
  private long changedRows;
  private long nextSave;
  private long savedMillis;
  private long refused;
  private String problem = "";
  private @Nullable Task deciding;

  /**
   * What callers want to be learned.
   *
   * @param id the id that a row waits under; empty for rows that come with their truth
   * @param rows the rows with their truths; of an id none
   * @param truth the truth of the id's row
   */
  private record Request(
      String id, List<TaughtRow> rows, @Nullable Truth truth, CompletableFuture<State> done) {
    int size() {
      return Math.max(1, rows.size());
    }
  }

  /**
   * The state at one moment.
   *
   * @param rows rows learned, also before this start
   * @param isInferring whether columns are still inferred anew with each row
   * @param judged rows since the start that were predicted before they were learned
   * @param loss mistakes among them, or the sum of squared errors
   * @param baselineLoss the same of a constant prediction
   * @param error share of mistakes, or root mean squared error, of the last 100
   * @param baseline the same of the constant prediction
   * @param refused rows that could not be learned
   * @param modelRows rows that the published model has learned
   * @param modelMillis time that making it took
   * @param journalBytes bytes that would be learned again after a crash
   * @param savedMillis when the file was saved last, in milliseconds since 1970; 0 before that
   * @param problem why labels are refused at the moment; empty if they are not
   */
  public record State(
      long rows,
      boolean isInferring,
      long judged,
      double loss,
      double baselineLoss,
      double error,
      double baseline,
      long refused,
      long modelRows,
      double modelMillis,
      long journalBytes,
      long savedMillis,
      String problem) {}

  /**
   * Reads the folder, learns what its journal has, and publishes a model if it can predict. Nothing
   * runs before {@link #start}.
   *
   * @param path the folder; made if it is not there
   * @param sync whether a label is acknowledged only when the disk has it
   * @param saveEvery least time between two saves
   * @param byDefault the label of rows that get none in time; empty to drop them
   * @throws IOException if the folder cannot be used
   */
  public Learning(
      Path path,
      boolean sync,
      Duration saveEvery,
      String byDefault,
      WaitingRows waiting,
      ModelRepository repository,
      EventLog log,
      Clock clock)
      throws IOException {
    folder = LearnFolder.open(path, sync, waiting, log);
    this.waiting = waiting;
    this.repository = repository;
    this.log = log;
    this.clock = clock;
    saveNanos = saveEvery.toNanos();
    nextSave = System.nanoTime() + saveNanos;
    source = path.toString();
    this.byDefault = byDefault;
    if (!byDefault.isEmpty() && folder.learner().task() == Task.REGRESSION) {
      Truths.number(byDefault);
    }
    changedRows = folder.journalBytes() > 0 ? 1 : 0;
    target = folder.learner().ownTarget();
    numbers = folder.learner().task() == Task.REGRESSION;
    publish();
    state = current();
  }

  /** Starts the thread. */
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** The name of its model. */
  public String name() {
    return folder.name();
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

  /** Rows that are to be learned. */
  public synchronized int queued() {
    return queued;
  }

  /** Lines of the journal that could not be read at the start. */
  public long lost() {
    return folder.lost();
  }

  /** Learns the row that waits under an id. */
  CompletableFuture<State> label(String id, Truth truth) {
    return add(new Request(id, List.of(), truth, new CompletableFuture<>()));
  }

  /** Learns rows. */
  CompletableFuture<State> learn(List<TaughtRow> rows) {
    return add(new Request("", rows, null, new CompletableFuture<>()));
  }

  private synchronized CompletableFuture<State> add(Request request) {
    if (closing) {
      request.done.completeExceptionally(
          Problem.unavailable("the server is being stopped; send it again"));
    } else if (queued + request.size() > MOST_QUEUED) {
      request.done.completeExceptionally(
          Problem.unavailable(
              "%d rows wait to be learned already; nothing of this was learned, send it again later"
                  .formatted(queued)));
    } else {
      queue.add(request);
      queued += request.size();
    }
    return request.done;
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        List<Request> batch = next();
        more = batch != null;
        if (batch != null) {
          step(batch);
        }
      } catch (InterruptedException e) {
        more = false;
      }
    }
  }

  private void step(List<Request> batch) {
    try {
      teach(batch);
      expire();
      if (System.nanoTime() >= nextModel) {
        publish();
      }
      if (changedRows > 0 && System.nanoTime() >= nextSave) {
        save();
      }
      state = current();
      batch.forEach(request -> request.done.complete(state));
    } catch (RuntimeException e) { // a defect: the thread goes on
      log.warn("learning_failed", "reason", e.toString());
      batch.forEach(request -> request.done.completeExceptionally(e));
    }
  }

  /** Requests that wait, none after a while; null when all is done. */
  private @Nullable List<Request> next() throws InterruptedException {
    long until = (nextModel - System.nanoTime()) / 1_000_000 + 1;
    boolean due = publishedRows != folder.learner().rows();
    long wait = due ? Math.max(1, Math.min(MOST_WAIT_MILLIS, until)) : MOST_WAIT_MILLIS;
    Request one = queue.poll(wait, TimeUnit.MILLISECONDS);
    List<Request> batch = new ArrayList<>();
    int rows = 0;
    while (one != null) {
      batch.add(one);
      rows += one.size();
      one = rows < BATCH_ROWS ? queue.poll() : null;
    }
    synchronized (this) {
      queued -= rows;
      return batch.isEmpty() && closing && queue.isEmpty() ? null : batch;
    }
  }

  /** Resolves, writes, learns. */
  private void teach(List<Request> batch) {
    List<Request> good = new ArrayList<>();
    List<List<TaughtRow>> rows = new ArrayList<>();
    deciding = folder.learner().task();
    Set<String> ids = new HashSet<>();
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (Request request : batch) {
      try {
        List<TaughtRow> resolved = resolve(request, ids);
        for (TaughtRow row : resolved) {
          lines.writeBytes(line(row));
        }
        good.add(request);
        rows.add(resolved);
      } catch (Problem e) {
        request.done.completeExceptionally(e);
      }
    }
    if (good.isEmpty() || !isWritten(lines.toByteArray(), good)) {
      return;
    }
    for (int k = 0; k < good.size(); k++) {
      if (!good.get(k).id.isEmpty()) {
        waiting.settle(good.get(k).id); // not taken: it may have been dropped meanwhile
      }
      learn(rows.get(k), good.get(k), k == good.size() - 1);
    }
  }

  private byte[] line(TaughtRow row) {
    LoopLearner learner = folder.learner();
    return JsonRows.line(
        learner.cells(row), learner.target(row.truth()), row.truth().text(), row.id());
  }

  private List<TaughtRow> resolve(Request request, Set<String> ids) {
    Truth truth = request.truth;
    if (truth == null) {
      request.rows.forEach(row -> check(row.truth()));
      return request.rows;
    }
    check(truth);
    try {
      Map<String, Object> cells = waiting.find(request.id);
      if (!ids.add(request.id)) {
        throw new IllegalStateException(
            "the row '" + request.id + "' has two labels at once; it is learned with the first");
      }
      return List.of(new TaughtRow(cells, truth, request.id));
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

  private boolean isWritten(byte[] lines, List<Request> requests) {
    try {
      folder.append(lines);
      if (!problem.isEmpty()) {
        log.info("journal_back", "file", source);
      }
      problem = "";
      return true;
    } catch (IOException e) {
      if (problem.isEmpty()) {
        log.warn("journal_not_written", "file", source, "reason", e.toString());
      }
      problem = "the rows cannot be written to " + source + ": " + e.getMessage();
      requests.forEach(
          request ->
              request.done.completeExceptionally(
                  Problem.unavailable(
                      "nothing of this was learned, because it cannot be stored ("
                          + e.getMessage()
                          + "); free the disk of the server's folder and send it again. Predictions"
                          + " go on")));
      return false;
    }
  }

  private void learn(List<TaughtRow> rows, Request request, boolean last) {
    int bad = 0;
    String reason = "";
    for (int k = 0; k < rows.size(); k++) {
      try {
        folder.learner().learn(rows.get(k), last && k == rows.size() - 1);
        changedRows++;
      } catch (IllegalArgumentException | IllegalStateException e) {
        bad++;
        reason = String.valueOf(e.getMessage());
      }
    }
    refused += bad;
    if (bad > 0) {
      request.done.completeExceptionally(
          Problem.badRequest(bad + " of " + rows.size() + " rows were not learned: " + reason));
    }
  }

  /** Rows without a label in time. */
  private void expire() {
    List<TaughtRow> rows = new ArrayList<>();
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (WaitingRows.Waited one : waiting.expire()) {
      Task task = folder.learner().task();
      if (!byDefault.isEmpty() && task != null) {
        Truth truth = new Truth(byDefault, task == Task.REGRESSION);
        TaughtRow row = new TaughtRow(one.row(), truth, "");
        rows.add(row);
        lines.writeBytes(line(row));
      }
    }
    Request nobody = new Request("", rows, null, new CompletableFuture<>());
    if (!rows.isEmpty() && isWritten(lines.toByteArray(), List.of(nobody))) {
      learn(rows, nobody, true);
    }
  }

  private void publish() {
    LoopLearner learner = folder.learner();
    if (learner.rows() == publishedRows) {
      return;
    }
    long start = System.nanoTime();
    RowModel model = learner.snapshot();
    if (model != null) {
      repository.publish(
          new Arrival(folder.name(), "", learner.rows(), source, clock.instant()), model);
    }
    publishedRows = learner.rows();
    long taken = System.nanoTime() - start;
    modelMillis = taken / 1e6;
    nextModel = start + taken + MODEL_SHARE * taken;
  }

  private void save() {
    long start = System.nanoTime();
    long rows = folder.learner().rows();
    try {
      if (folder.save(waiting)) {
        savedMillis = clock.millis();
        changedRows = 0;
      }
    } catch (IOException e) {
      log.warn("learner_not_saved", "file", source, "reason", e.toString());
    }
    long taken = System.nanoTime() - start;
    nextSave = start + Math.max(saveNanos, SAVE_SHARE * taken);
    if (changedRows == 0) {
      log.info("learner_saved", "file", source, "rows", rows, "ms", taken / 1_000_000);
    }
  }

  private State current() {
    LoopLearner learner = folder.learner();
    LearnErrors.Summary errors = learner.errors().summary();
    return new State(
        learner.rows(),
        learner.isInferring(),
        errors.judged(),
        errors.loss(),
        errors.baselineLoss(),
        errors.recent(),
        errors.recentBaseline(),
        refused,
        publishedRows,
        modelMillis,
        folder.journalBytes(),
        savedMillis,
        problem);
  }

  /** Learns what was taken, saves and ends. */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    save();
    try {
      folder.close();
    } catch (IOException e) {
      log.warn("journal_not_closed", "file", source, "reason", e.toString());
    }
  }
}
