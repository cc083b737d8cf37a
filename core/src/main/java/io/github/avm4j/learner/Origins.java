// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.model.ByteReader;
import io.github.avm4j.model.ByteWriter;
import io.github.avm4j.model.InvalidModelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The learners that a shard began as, oldest first, each by the identity of its state at that
 * moment. A merge subtracts the start from its shards, which is right only if the start is still
 * what they began as.
 *
 * @param starts identities, at most {@link #MOST}; empty for a learner that began with nothing
 */
record Origins(List<Long> starts) {
  /** Older ones are dropped: merges need the last two. */
  static final int MOST = 16;

  /** Of a learner that began with nothing. */
  static final Origins NONE = new Origins(List.of());

  Origins {
    starts = List.copyOf(starts);
  }

  /** Of a shard of {@code start}, or of what its shards have learned with it. */
  static Origins after(AutoLearner start) {
    List<Long> starts = new ArrayList<>(start.origins.starts);
    starts.add(identity(start));
    return new Origins(starts.subList(Math.max(0, starts.size() - MOST), starts.size()));
  }

  /** Whether a learner of these origins began as {@code start}. */
  boolean contains(AutoLearner start) {
    return starts.contains(identity(start));
  }

  /**
   * 64 bits of a hash of all that a merge uses: it differs once the learner has learned from one
   * instance more, and is the same for a copy and for what was saved and read.
   */
  static long identity(AutoLearner learner) {
    SecondOrderLearner leader = learner.leader();
    ByteWriter numbers = new ByteWriter();
    numbers.f64(learner.intercept);
    for (int j = 0; j < leader.classes(); j++) {
      numbers.f64(leader.label(j));
    }
    for (double[] column : leader.outputCoefficients()) {
      numbers.f64s(column, column.length);
    }
    return hash(hash(0, SecondOrderFormat.state(leader)), numbers.toBytes());
  }

  /** Takes in words of eight bytes, the last filled up by zeros; each step is one to one. */
  private static long hash(long start, byte[] bytes) {
    ByteBuffer words = ByteBuffer.wrap(Arrays.copyOf(bytes, (bytes.length + 7) / 8 * 8));
    words.order(ByteOrder.LITTLE_ENDIAN);
    long hash = start + bytes.length;
    while (words.hasRemaining()) {
      hash = (hash ^ words.getLong()) + 0x9E3779B97F4A7C15L;
      hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
      hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
      hash ^= hash >>> 31;
    }
    return hash;
  }

  byte[] toBytes() {
    ByteWriter out = new ByteWriter();
    out.u8(starts.size());
    starts.forEach(out::i64);
    return out.toBytes();
  }

  static Origins read(ByteReader in) throws InvalidModelException {
    int count = in.code("starts", MOST + 1);
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(in.i64());
    }
    in.end();
    return new Origins(starts);
  }
}
