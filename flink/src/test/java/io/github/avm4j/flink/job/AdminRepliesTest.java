// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.IntToDoubleFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class AdminRepliesTest {
  private final KafkaFutureImpl<String> reply = new KafkaFutureImpl<>();
  private int looks;

  /** A client whose broker has sent so many bytes when it is looked at, and replies at last. */
  private AdminReplies broker(IntToDoubleFunction bytes, int replies) {
    MetricName name = new MetricName("incoming-byte-total", "admin-client-metrics", "", Map.of());
    Admin admin =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                  assertEquals("metrics", method.getName());
                  double sent = bytes.applyAsDouble(++looks);
                  if (looks == replies) {
                    reply.complete("here");
                  }
                  return Map.of(name, metric(name, sent));
                });
    return new AdminReplies(admin, Duration.ofMillis(1));
  }

  private static Metric metric(MetricName name, double value) {
    return new Metric() {
      @Override
      public MetricName metricName() {
        return name;
      }

      @Override
      public Object metricValue() {
        return value;
      }
    };
  }

  private KafkaFuture<String> ask(Admin admin) {
    return reply;
  }

  @Test
  void aSlowBrokerThatSendsIsWaitedFor() throws Exception {
    assertEquals("here", broker(look -> 10 * look, 20).await(this::ask));
    assertEquals(20, looks);
  }

  @Test
  void aBrokerThatSendsNothingOrNoMoreIsGivenUp() {
    assertThrows(TimeoutException.class, () -> broker(look -> 0, 20).await(this::ask));
    assertEquals(1, looks);
    looks = 0;
    assertThrows(
        TimeoutException.class, () -> broker(look -> Math.min(look, 3), 20).await(this::ask));
    assertEquals(4, looks);
  }

  @Test
  void whenKafkasClientGivesUpNoBrokerReplies() {
    reply.completeExceptionally(new org.apache.kafka.common.errors.TimeoutException("late"));
    assertThrows(TimeoutException.class, () -> broker(look -> look, 20).await(this::ask));
  }
}
