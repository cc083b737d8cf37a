// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.flink.record.Answer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.functions.MapFunction;

/** Counts answers in this process. */
final class Progress implements MapFunction<Answer, Answer> {
  private static final long serialVersionUID = 1;
  private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();

  Progress() {
    COUNTS.put(id, new LongAdder());
  }

  long count() {
    return COUNTS.get(id).sum();
  }

  void await(long count) throws InterruptedException {
    while (count() < count) {
      Thread.sleep(50);
    }
  }

  @Override
  public Answer map(Answer answer) {
    COUNTS.get(id).increment();
    return answer;
  }
}
