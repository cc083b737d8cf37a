// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Learns what callers teach, on a thread of its own, and publishes what it has become.
 *
 * <ol>
 *   <li>Predictions never wait for it. They use the newest model published.
 *   <li>A row is in the journal before it is learned, and learned before its caller has a reply. So
 *       the state is at every moment that of one learner which learned the rows of the file and of
 *       its journal in order.
 *   <li>Models are published as soon as nine times the time that the last ones took have passed: a
 *       tenth of the thread's time at most goes into models, and they are less than a second old as
 *       long as one takes less than a ninth of a second. {@link Health#modelMillis} shows what they
 *       take.
 *   <li>A save takes at most a twentieth of the time for the same reason; the journal makes rare
 *       saves safe.
 *   <li>A full queue refuses. Its bound is in rows, since these cost time.
 * </ol>
 */
public abstract class LearnThread implements AutoCloseable {
  private static final int MOST_QUEUED = 20_000;
  private static final int BATCH_ROWS = 1_000;
  private static final int MODEL_SHARE = 9;
  private static final int SAVE_SHARE = 19;
  private static final long MOST_WAIT_MILLIS = 200;

  private final LearnFolder folder;
  private final List<? extends Pupil> pupils;
  private final EventLog log;
  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "avm-learn");
  private int queued;
  private boolean closing;
  private volatile Health health = new Health(0, 0, 0, "", "");

  // Of the thread alone.
  private long nextModel = System.nanoTime();
  private double modelMillis;
  private long nextSave;
  private long savedMillis;
  private String problem = "";
  private String notSaved = "";

  /** What callers want to be learned. */
  interface Request {
    /** What is to learn it. */
    Pupil pupil();

    /** How many rows it has, at least 1. */
    int size();

    /**
     * Its rows as lines of the journal.
     *
     * @throws Problem if they cannot be learned
     */
    byte[] lines();

    /**
     * Learns them.
     *
     * @param last whether no more rows follow at once
     */
    void learn(boolean last);

    /** Replies, unless it has failed. */
    void reply();

    /** Replies that nothing was learned. */
    void fail(RuntimeException reason);
  }

  /**
   * How learning, storing and publishing are going.
   *
   * @param modelMillis time that making the published models took
   * @param journalBytes bytes that would be learned again after a crash
   * @param savedMillis when a file was saved last, in milliseconds since 1970; 0 before that
   * @param problem why rows are refused at the moment; empty if they are not
   * @param notSaved why the last save failed; empty if it did not. Rows are learned and in the
   *     journal all the same, which grows
   */
  public record Health(
      double modelMillis, long journalBytes, long savedMillis, String problem, String notSaved) {
    /** Whether all that is learned can be stored. */
    public boolean isStored() {
      return problem.isEmpty() && notSaved.isEmpty();
    }
  }

  /** Of these files of a folder. */
  LearnThread(LearnFolder folder, List<? extends Pupil> pupils) throws IOException {
    this.folder = folder;
    this.pupils = pupils;
    log = folder.log();
    nextSave = System.nanoTime() + folder.saveEvery().toNanos();
    folder.tellOthers(pupils);
    publish();
    health = healthNow();
  }

  /** Starts the thread. */
  public final void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** How it is going, or was a moment ago. */
  public final Health health() {
    return health;
  }

  /** Rows that are to be learned. */
  public final synchronized int queued() {
    return queued;
  }

  /** Lines of the journals that could not be read at the start. */
  public final long lost() {
    return pupils.stream().mapToLong(Pupil::lost).sum();
  }

  final synchronized void add(Request request) {
    if (closing) {
      request.fail(Problem.unavailable("the server is being stopped; send it again"));
    } else if (queued + request.size() > MOST_QUEUED) {
      request.fail(
          Problem.unavailable(
              "%d rows wait to be learned already; nothing of this was learned, send it again later"
                  .formatted(queued)));
    } else {
      queue.add(request);
      queued += request.size();
    }
  }

  /** Before the lines of a batch are made. */
  void begin() {}

  /** Rows that are learned without a request, if any. */
  @Nullable Request nobody() {
    return null;
  }

  /** After every batch, before the replies. */
  void end() {}

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
      Request nobody = nobody();
      if (nobody != null) {
        teach(List.of(nobody));
      }
      if (System.nanoTime() >= nextModel) {
        publish();
      }
      if (System.nanoTime() >= nextSave && pupils.stream().anyMatch(Pupil::isUnsaved)) {
        save();
      }
      health = healthNow();
      end();
      batch.forEach(Request::reply);
    } catch (RuntimeException e) { // a defect: the thread goes on
      log.warn("learning_failed", "reason", e.toString());
      batch.forEach(request -> request.fail(e));
    }
  }

  /** Requests that wait, none after a while; null when all is done. */
  private @Nullable List<Request> next() throws InterruptedException {
    long until = (nextModel - System.nanoTime()) / 1_000_000 + 1;
    boolean due = pupils.stream().anyMatch(Pupil::isUnpublished);
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

  /** Writes, then learns. */
  private void teach(List<Request> batch) {
    begin();
    Map<Pupil, List<Request>> good = new LinkedHashMap<>();
    Map<Pupil, ByteArrayOutputStream> lines = new LinkedHashMap<>();
    for (Request request : batch) {
      try {
        byte[] own = request.lines();
        lines.computeIfAbsent(request.pupil(), key -> new ByteArrayOutputStream()).writeBytes(own);
        good.computeIfAbsent(request.pupil(), key -> new ArrayList<>()).add(request);
      } catch (Problem e) {
        request.fail(e);
      }
    }
    lines.forEach(
        (pupil, own) -> {
          List<Request> requests = good.getOrDefault(pupil, List.of());
          if (isWritten(pupil, own.toByteArray(), requests)) {
            for (int k = 0; k < requests.size(); k++) {
              requests.get(k).learn(k == requests.size() - 1);
            }
          }
        });
  }

  private boolean isWritten(Pupil pupil, byte[] lines, List<Request> requests) {
    try {
      pupil.append(lines);
      if (!problem.isEmpty()) {
        log.info("journal_back", "file", pupil.journalPath());
      }
      problem = "";
      return true;
    } catch (IOException e) {
      if (problem.isEmpty()) {
        log.warn("journal_not_written", "file", pupil.journalPath(), "reason", e.toString());
      }
      problem = "rows cannot be written to " + pupil.journalPath() + ": " + e.getMessage();
      requests.forEach(
          request ->
              request.fail(
                  Problem.unavailable(
                      "nothing of this was learned, because it cannot be stored ("
                          + e.getMessage()
                          + "); free space on the server's disk, then send it again. Predictions"
                          + " go on")));
      return false;
    }
  }

  private void publish() {
    if (pupils.stream().noneMatch(Pupil::isUnpublished)) {
      return;
    }
    long start = System.nanoTime();
    pupils.stream().filter(Pupil::isUnpublished).forEach(Pupil::publish);
    long taken = System.nanoTime() - start;
    modelMillis = taken / 1e6;
    nextModel = start + taken + MODEL_SHARE * taken;
  }

  private void save() {
    long start = System.nanoTime();
    notSaved = "";
    pupils.forEach(this::save);
    long taken = System.nanoTime() - start;
    nextSave = start + Math.max(folder.saveEvery().toNanos(), SAVE_SHARE * taken);
  }

  private void save(Pupil pupil) {
    long start = System.nanoTime();
    try {
      if (pupil.save()) {
        savedMillis = folder.clock().millis();
        long millis = (System.nanoTime() - start) / 1_000_000;
        log.info("learner_saved", "file", pupil.file(), "rows", pupil.rows(), "ms", millis);
      }
    } catch (IOException e) {
      log.warn("learner_not_saved", "file", pupil.file(), "reason", e.toString());
      notSaved = pupil.file() + ": " + e.getMessage();
    }
  }

  private Health healthNow() {
    long bytes = pupils.stream().mapToLong(Pupil::journalBytes).sum();
    return new Health(modelMillis, bytes, savedMillis, problem, notSaved);
  }

  /** Learns what was taken, saves and ends. */
  @Override
  public final void close() {
    synchronized (this) {
      closing = true;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    save();
    for (Pupil pupil : pupils) {
      try {
        pupil.close();
      } catch (IOException e) {
        log.warn("journal_not_closed", "file", pupil.journalPath(), "reason", e.toString());
      }
    }
    try {
      folder.close();
    } catch (IOException e) {
      log.warn("lock_not_closed", "file", folder.lockFile(), "reason", e.toString());
    }
  }
}
