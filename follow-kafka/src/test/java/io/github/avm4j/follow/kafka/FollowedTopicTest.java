// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.follow.NewestModel;
import io.github.avm4j.learner.Learner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A look reads to the end of the topic, and one that fails harms no later one. */
class FollowedTopicTest {
  private static final TopicPartition PARTITION = new TopicPartition("models", 0);

  private final List<String> refused = new ArrayList<>();
  private final NewestModel newest =
      new NewestModel(
          "m",
          rows -> {},
          new NewestModel.Listener() {
            @Override
            public void used(NewestModel.Loaded now, NewestModel.@Nullable Loaded before) {}

            @Override
            public void refused(String reason) {
              refused.add(reason);
            }
          });

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final FollowedTopic topic = new FollowedTopic("models", "here:1", consumer, newest);

  private static byte[] model() {
    Learner learner = Avm.regressor().build();
    learner.learn(FeatureVector.dense(1, 2), 3);
    return learner.toBytes();
  }

  /** The next poll finds a record. */
  private void arrives(long offset, String key, byte[] file, String version) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("models", 0, offset, key.getBytes(StandardCharsets.UTF_8), file);
    record.headers().add("version", version.getBytes(StandardCharsets.UTF_8));
    consumer.schedulePollTask(() -> consumer.addRecord(record));
    consumer.updateEndOffsets(Map.of(PARTITION, offset + 1));
  }

  @Test
  void readsToTheEndAndGoesOnAfterFailures() throws Exception {
    String missing = String.valueOf(assertThrows(IOException.class, topic::poll).getMessage());
    assertEquals("topic models at here:1: there is no such topic", missing);
    consumer.updatePartitions("models", List.of(new PartitionInfo("models", 0, null, null, null)));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    arrives(0, "m", model(), "7");
    arrives(1, "other", model(), "9");
    arrives(2, "m", new byte[100], "8");
    topic.poll();
    assertEquals(7, newest.get().arrival().version());
    assertEquals("kafka:models/0@0", newest.get().arrival().source());
    assertEquals(1, refused.size());
    assertTrue(refused.get(0).startsWith("kafka:models/0@2: "), refused::toString);

    consumer.setPollException(new TimeoutException("away"));
    assertThrows(IOException.class, topic::poll);
    arrives(3, "m", model(), "9");
    topic.poll();
    assertEquals(9, newest.get().arrival().version());
    topic.close();
    assertTrue(consumer.closed());
  }
}
