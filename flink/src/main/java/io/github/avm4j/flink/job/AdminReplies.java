// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Metric;

/**
 * What a broker says to questions. A fixed time would take a slow broker for one that is gone, or
 * let a wrong address wait for a minute: who asks waits for as long as the broker sends anything.
 */
final class AdminReplies implements AutoCloseable {
  /** How long the broker may send nothing. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Admin admin;
  private final Duration patience;
  private double received;

  AdminReplies(Admin admin, Duration patience) {
    this.admin = admin;
    this.patience = patience;
  }

  /**
   * The reply.
   *
   * @throws TimeoutException if nothing came for so long, or Kafka's client gave up
   * @throws ExecutionException if the reply is an error
   */
  <T> T await(Function<Admin, KafkaFuture<T>> question)
      throws ExecutionException, InterruptedException, TimeoutException {
    KafkaFuture<T> reply = question.apply(admin);
    while (true) {
      try {
        return reply.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        double now = received();
        if (now <= received) {
          throw e;
        }
        received = now;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
          throw new TimeoutException(e.getMessage());
        }
        throw e;
      }
    }
  }

  /** Bytes from all brokers. */
  private double received() {
    return admin.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("incoming-byte-total"))
        .filter(metric -> metric.metricName().group().equals("admin-client-metrics"))
        .map(Metric::metricValue)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .sum();
  }

  /** Without waiting for replies that do not come. */
  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
