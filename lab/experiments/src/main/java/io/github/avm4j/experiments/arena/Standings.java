// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.Results;
import io.github.avm4j.lab.baselines.LearnerProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of the arena by stream and learner. */
final class Standings {
  private final Map<String, JsonNode> results = new LinkedHashMap<>();
  private final Map<String, String> others = new LinkedHashMap<>();
  private final int rows;
  private final List<LearnerProvider> providers;

  /** The results with that limit of rows, 0 for whole streams; failures are left out. */
  Standings(Results all, int rows, List<LearnerProvider> providers) {
    this.rows = rows;
    this.providers = List.copyOf(providers);
    for (JsonNode node : all.all()) {
      if (node.get("rows").asInt() == rows && node.has("error")) {
        results.put(node.get("key").asText(), node);
        if (node.has("library")) {
          others.put(node.get("learner").asText(), node.get("title").asText());
        }
      }
    }
  }

  /** A learner as tables show it. */
  record Learner(String name, String title, Entrant.Group group) {}

  /** All learners for a task: those that can be run, then others that have results. */
  List<Learner> learners(Task task) {
    List<Learner> all = new ArrayList<>();
    for (Entrant one : Entrant.all(task, providers)) {
      all.add(new Learner(one.name(), one.title(), one.group()));
    }
    others.forEach(
        (name, title) -> {
          Learner other = new Learner(name, title, Entrant.Group.OTHERS);
          if (!all.contains(other) && hasResults(task, name)) {
            all.add(other);
          }
        });
    return all;
  }

  /** Whether a learner has a result on a stream of the task. */
  boolean hasResults(Task task, String learner) {
    return streams(task).stream().anyMatch(stream -> of(stream, learner).isPresent());
  }

  /** The streams of a task. */
  static List<String> streams(Task task) {
    return ArenaStream.ALL.stream()
        .filter(stream -> stream.task() == task)
        .map(ArenaStream::name)
        .toList();
  }

  Optional<JsonNode> of(String stream, String learner) {
    return Optional.ofNullable(results.get(Arena.key(stream, learner, rows)));
  }

  static boolean isDone(JsonNode node) {
    return node.get("status").asText().equals("done");
  }

  /** The error that ranks count: infinite if the learner did not come to the end. */
  private static double ranked(JsonNode node) {
    double error = node.get("error").asDouble();
    return isDone(node) && Double.isFinite(error) ? error : Double.POSITIVE_INFINITY;
  }

  /** The least error on a stream among learners that came to its end, if one did. */
  Optional<JsonNode> best(String stream, List<Learner> among) {
    Optional<JsonNode> best = Optional.empty();
    for (Learner learner : among) {
      Optional<JsonNode> one = of(stream, learner.name).filter(node -> ranked(node) < 1e300);
      if (one.isPresent() && (best.isEmpty() || ranked(one.get()) < ranked(best.get()))) {
        best = one;
      }
    }
    return best;
  }

  /**
   * Streams and learners of which every entry is there.
   *
   * @param streams names
   * @param learners those that are ranked
   */
  record Block(List<String> streams, List<Learner> learners) {
    /** Whether there is something to rank. */
    boolean canBeRanked() {
      return streams.size() > 1 && learners.size() > 1;
    }
  }

  /**
   * A large block without holes: as long as entries are missing, the stream or learner that misses
   * the largest share of them is left out.
   */
  Block block(Task task) {
    List<String> streams = new ArrayList<>(streams(task));
    List<Learner> learners = new ArrayList<>(learners(task));
    while (true) {
      int worstStream = -1;
      int worstLearner = -1;
      double most = 0;
      for (int s = 0; s < streams.size(); s++) {
        String stream = streams.get(s);
        double share = share(learners.stream().map(l -> of(stream, l.name)).toList());
        if (share > most) {
          most = share;
          worstStream = s;
        }
      }
      for (int l = 0; l < learners.size(); l++) {
        String name = learners.get(l).name;
        double share = share(streams.stream().map(stream -> of(stream, name)).toList());
        if (share >= most && share > 0) {
          most = share;
          worstLearner = l;
        }
      }
      if (worstLearner >= 0) {
        learners.remove(worstLearner);
      } else if (worstStream >= 0) {
        streams.remove(worstStream);
      } else {
        return new Block(List.copyOf(streams), List.copyOf(learners));
      }
    }
  }

  private static double share(List<Optional<JsonNode>> entries) {
    return entries.stream().filter(Optional::isEmpty).count() / (double) entries.size();
  }

  /** Ranks of a block; a learner that did not come to the end of a stream is among its last. */
  Friedman rank(Block block) {
    double[][] errors = new double[block.streams.size()][block.learners.size()];
    for (int s = 0; s < errors.length; s++) {
      for (int l = 0; l < errors[s].length; l++) {
        String learner = block.learners.get(l).name;
        errors[s][l] = ranked(of(block.streams.get(s), learner).orElseThrow());
      }
    }
    return Friedman.of(errors);
  }
}
