// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Does what is left of a plan, with a worker a processor. Times in the results are the processor
 * time of the learning thread alone; what workers still share is memory bandwidth and the last
 * cache.
 */
final class Runner {
  /** What a job may take by the clock, in units of the processor time of a run online. */
  private static final double PATIENCE = 3;

  /** What a search, which tries up to 77 settings, may take on top of that, in seconds. */
  private static final double SEARCH_PATIENCE = 600;

  private final Results results;
  private final Path data;
  private final int workers;
  private final double seconds;
  private final String memory;
  private final PrintStream progress;
  private int done;
  private int total;

  Runner(
      Results results,
      Path data,
      int workers,
      double seconds,
      String memory,
      PrintStream progress) {
    this.results = results;
    this.data = data;
    this.workers = workers;
    this.seconds = seconds;
    this.memory = memory;
    this.progress = progress;
  }

  /** Runs the searches that are missing and then the rest. */
  void run(Plan plan) throws IOException, InterruptedException {
    results.append(Environment.here().put("workers", workers).put("secondsLimit", seconds));
    List<Job> searches = missing(plan.searches());
    List<Job> runs = missing(plan.runs());
    total = searches.size() + runs.size();
    progress.println(total + " jobs to do, " + workers + " at a time");
    work(searches);
    List<Job> ready = new ArrayList<>();
    for (Job job : runs) {
      if (job.isGiven()) {
        ready.add(job);
        continue;
      }
      Optional<JsonNode> found = results.of(plan.search(job));
      if (found.isPresent() && found.get().has("found")) {
        ready.add(job.withFound(Job.settings(found.get().get("found"))));
      } else {
        total--;
        results.append(
            job.toJson().put("status", "failed").put("message", "its search found nothing"));
      }
    }
    work(ready);
  }

  private List<Job> missing(List<Job> jobs) {
    return jobs.stream().filter(job -> !results.has(job)).toList();
  }

  private void work(List<Job> jobs) throws IOException, InterruptedException {
    Deque<Job> queue = new ArrayDeque<>(jobs);
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < workers; w++) {
        int processor = w;
        all.add(threads.submit(() -> drain(queue, processor)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a worker could not go on: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private Void drain(Deque<Job> queue, int processor) throws IOException, InterruptedException {
    List<String> arguments = List.of(data.toString(), Double.toString(seconds));
    try (WorkerProcess worker =
        new WorkerProcess(processor, memory, Worker.class.getName(), arguments)) {
      Job job = next(queue);
      while (job != null) {
        if (results.ranOutOfTime(job)) {
          skip(job);
        } else {
          double patience =
              PATIENCE * seconds + (job.mode() == Job.Mode.SEARCH ? SEARCH_PATIENCE : 0);
          ObjectNode result = worker.run(job.toJson(), patience);
          results.append(result);
          report(result);
        }
        job = next(queue);
      }
    }
    return null;
  }

  private static @org.jspecify.annotations.Nullable Job next(Deque<Job> queue) {
    synchronized (queue) {
      return queue.poll();
    }
  }

  private synchronized void skip(Job job) {
    done++;
    progress.printf(
        "[%d/%d] %s: left out, it ran out of time on another order%n", done, total, job.key());
  }

  private synchronized void report(ObjectNode result) {
    done++;
    progress.printf(
        Locale.ROOT,
        "[%d/%d] %s: %s, error %s, %s s%n",
        done,
        total,
        result.get("key").asText(),
        result.get("status").asText(),
        number(result.path("error")),
        number(result.has("cpuSeconds") ? result.get("cpuSeconds") : result.path("wallSeconds")));
    progress.flush();
  }

  private static String number(JsonNode node) {
    return node.isNumber() ? String.format(Locale.ROOT, "%.4g", node.asDouble()) : "–";
  }
}
