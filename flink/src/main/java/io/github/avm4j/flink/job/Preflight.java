// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.sink.KafkaTopics;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a job is started that the broker is reachable, that all topics exist, that
 * transactions may be as long as they are to be, and that no version would be published a second
 * time. A mistake ends in one message and not in a job that restarts for ever.
 */
final class Preflight {
  /** The brokers' setting of how long a transaction may be open. */
  private static final String LONGEST = "transaction.max.timeout.ms";

  private Preflight() {}

  /**
   * Checks.
   *
   * @param from savepoint to resume from; null for none
   * @param anew whether to begin although there are versions of that name
   * @param here whether the job runs in this process: then this process must reach the broker
   */
  static Launch check(
      StreamConfig config, @Nullable String from, boolean anew, boolean here, PrintStream out)
      throws IOException, InterruptedException {
    if (from != null && anew) {
      throw new ConfigException("--from and --new do not go together: go on, or begin anew");
    }
    tellWhereItEnds(config, from, out);
    boolean reached = !config.kafka().containsKey("bootstrap.servers") || topics(config, here, out);
    PublishedModels published = new PublishedModels(config);
    Launch found = published.find(from, reached);
    if (found.hasPublished() && from == null && !anew) {
      throw new ConfigException(
          config.name()
              + " has published version "
              + found.version()
              + (found.lineage().equals(Lineage.NONE) ? "" : " of lineage " + found.lineage())
              + " already. Go on with --from SAVEPOINT, or begin a new lineage with --new");
    }
    return found;
  }

  /** Flink keeps in a source's state where its splits end, so a savepoint decides. */
  static void tellWhereItEnds(StreamConfig config, @Nullable String from, PrintStream out) {
    if (from != null && config.input().topic() != null && config.input().toLatest()) {
      out.println(
          "input.until: latest holds where a job begins. With --from the job ends where the"
              + " savepoint's job would have ended; if that is never, end it with flink stop");
    }
  }

  /** Tells if the job's file has no folder for checkpoints. */
  static void tellWhereStateIs(StreamConfig config, PrintStream out) {
    if (!JobOptions.saysWhereStateIs(config.flink())) {
      out.println(
          "checkpoints are kept where the cluster says. If it says nothing, Flink keeps them in the"
              + " JobManager's memory: a state above 5 MB fails all of them, and nothing is"
              + " published. Set checkpoints.folder to what all machines reach");
    }
  }

  /** Whether the broker is reachable; a topic that is missing is an error. */
  private static boolean topics(StreamConfig config, boolean here, PrintStream out)
      throws IOException, InterruptedException {
    String servers = config.kafka().get("bootstrap.servers");
    List<String> names = names(config);
    List<String> missing = new ArrayList<>();
    Map<String, Object> kafka = new HashMap<>(config.kafka());
    try (AdminReplies broker = new AdminReplies(Admin.create(kafka), AdminReplies.PATIENCE)) {
      for (String topic : names) {
        try {
          broker.await(admin -> admin.describeTopics(List.of(topic)).allTopicNames());
        } catch (ExecutionException e) {
          if (e.getCause() instanceof UnknownTopicOrPartitionException) {
            missing.add(topic);
          } else {
            throw new IOException("topic " + topic + ": " + StreamMain.reason(e), e);
          }
        }
      }
      if (missing.isEmpty()) {
        requireCompacted(config, broker, out);
        requireTransactions(config, broker, out);
      }
    } catch (TimeoutException e) {
      return unreachable("no broker answers at " + servers, here, out);
    } catch (KafkaException e) {
      return unreachable("kafka at " + servers + ": " + StreamMain.reason(e), here, out);
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          "the broker at "
              + servers
              + " has no topic "
              + String.join(", ", missing)
              + "; create it");
    }
    return true;
  }

  /** Parts of models that seldom change are deleted with time unless the topic is compacted. */
  private static void requireCompacted(StreamConfig config, AdminReplies broker, PrintStream out)
      throws InterruptedException, TimeoutException {
    CellsConfig cells = config.cells();
    String topic = config.output().get("models");
    if (cells == null || !cells.parts() || topic == null) {
      return;
    }
    String policy;
    try {
      policy = setting(broker, ConfigResource.Type.TOPIC, topic, TopicConfig.CLEANUP_POLICY_CONFIG);
    } catch (ExecutionException e) {
      out.println("topic " + topic + ": cleanup.policy is not known: " + StreamMain.reason(e));
      return;
    }
    if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      throw new ConfigException(
          "output.models: topic "
              + topic
              + " has cleanup.policy="
              + policy
              + "; models in parts need compact, or set cells.publish: whole");
    }
  }

  /** A broker refuses transactions that may be open for longer: the job would restart for ever. */
  private static void requireTransactions(StreamConfig config, AdminReplies broker, PrintStream out)
      throws InterruptedException, TimeoutException {
    if (!config.isTransactional()) {
      return;
    }
    String timeout = config.transactionTimeout();
    try {
      for (Node node : broker.await(admin -> admin.describeCluster().nodes())) {
        String most = setting(broker, ConfigResource.Type.BROKER, node.idString(), LONGEST);
        if (!most.isEmpty() && Long.parseLong(timeout) > Long.parseLong(most)) {
          throw new ConfigException(
              "kafka.%s must be at most %s, the %s of broker %s, was %s"
                  .formatted(
                      KafkaTopics.TRANSACTION_TIMEOUT, most, LONGEST, node.idString(), timeout));
        }
      }
    } catch (ExecutionException e) {
      out.println(LONGEST + " of the brokers is not known: " + StreamMain.reason(e));
    }
  }

  /** A setting of a topic or broker; empty if there is none of that name. */
  private static String setting(
      AdminReplies broker, ConfigResource.Type type, String of, String name)
      throws ExecutionException, InterruptedException, TimeoutException {
    ConfigResource resource = new ConfigResource(type, of);
    return broker.await(admin -> admin.describeConfigs(List.of(resource)).all()).values().stream()
        .flatMap(found -> found.entries().stream())
        .filter(entry -> entry.name().equals(name))
        .map(ConfigEntry::value)
        .findFirst()
        .orElse("");
  }

  private static boolean unreachable(String problem, boolean here, PrintStream out)
      throws IOException {
    if (here) {
      throw new IOException(problem + "; start it, or correct kafka.bootstrap.servers");
    }
    out.println(problem + " from here; topics are not checked");
    return false;
  }

  private static List<String> names(StreamConfig config) {
    List<String> names = new ArrayList<>();
    add(names, config.input().topic());
    InputConfig labels = config.labels();
    add(names, labels == null ? null : labels.topic());
    add(names, config.startTopic());
    config
        .output()
        .forEach((kind, where) -> add(names, StreamConfig.isTopic(kind, where) ? where : null));
    return names.stream().distinct().toList();
  }

  private static void add(List<String> names, @Nullable String name) {
    if (name != null) {
      names.add(name);
    }
  }
}
