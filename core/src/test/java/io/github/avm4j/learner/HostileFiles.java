// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Forged files, and what every reader owes them: only {@link InvalidModelException}, and no more
 * memory than {@link ModelFormat} promises.
 */
final class HostileFiles {
  /** Offset of the number of declared labels in the CONFIG payload. */
  static final int LABEL_COUNT = 1 + 17 + 17 + 8 + 17 + 17 + 17 + 4 + 1 + 8 + 4;

  private static final int MODEL_FACTOR = 16;
  private static final int LEARNER_FACTOR = 32;
  private static final int CONSTANT = 64 * 1024;

  private HostileFiles() {}

  static AvmConfig.Builder<KernelLearner> classifier() {
    return Avm.paperClassifier().gamma(0.5).delta(0.5).lambda(0.01);
  }

  static Learner small() {
    Learner learner = classifier().build();
    for (int i = 0; i < 5; i++) {
      learner.learn(new double[] {i, -i}, i % 2);
    }
    return learner;
  }

  static byte[] payload(Consumer<ByteWriter> content) {
    ByteWriter out = new ByteWriter();
    content.accept(out);
    return out.toBytes();
  }

  static String refusedAsModel(byte[] file) {
    checkModelAllocation(file);
    checkLearnerAllocation(file);
    assertThrows(InvalidModelException.class, () -> Learner.fromBytes(file));
    return assertThrows(InvalidModelException.class, () -> ModelFormat.read(file)).getMessage();
  }

  static String refusedAsLearner(byte[] file) {
    checkLearnerAllocation(file);
    return assertThrows(InvalidModelException.class, () -> Learner.fromBytes(file)).getMessage();
  }

  static void checkModelAllocation(byte[] file) {
    long bytes = Allocation.of(() -> ModelFormat.read(file));
    long limit = (long) MODEL_FACTOR * file.length + CONSTANT;
    assertTrue(bytes <= limit, bytes + " bytes for a file of " + file.length);
  }

  static void checkLearnerAllocation(byte[] file) {
    long bytes = Allocation.of(() -> Learner.fromBytes(file));
    long limit = (long) LEARNER_FACTOR * file.length + CONSTANT;
    assertTrue(bytes <= limit, bytes + " bytes for a file of " + file.length);
  }

  static byte[] withModel(Learner base, Consumer<ByteWriter> content) {
    return FileForge.with(base.toBytes(), Sections.MODEL, payload(content));
  }

  static byte[] patched(byte[] file, int type, int offset, Consumer<ByteWriter> bytes) {
    byte[] section = FileForge.payloads(file).get(type);
    byte[] patch = payload(bytes);
    System.arraycopy(patch, 0, section, offset, patch.length);
    return FileForge.with(file, type, section);
  }

  static double[] distinct(int n) {
    double[] labels = new double[n];
    Arrays.setAll(labels, i -> i);
    return labels;
  }

  /** Labels, no core points and as many columns as they need. */
  static void labels(ByteWriter out, double... labels) {
    out.i32(labels.length);
    out.f64s(labels, labels.length);
    out.u8(1);
    out.i32(0);
    out.i32(0);
    out.i32(labels.length > 2 ? labels.length : 1);
  }
}
