// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.LABEL_COUNT;
import static io.github.avm4j.learner.HostileFiles.classifier;
import static io.github.avm4j.learner.HostileFiles.distinct;
import static io.github.avm4j.learner.HostileFiles.patched;
import static io.github.avm4j.learner.HostileFiles.refusedAsLearner;
import static io.github.avm4j.learner.HostileFiles.refusedAsModel;
import static io.github.avm4j.learner.HostileFiles.small;
import static io.github.avm4j.learner.HostileFiles.withModel;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Files whose checksums are right and whose sections or configurations are not. */
class HostileFileTest {
  @Test
  void everyPayloadCutShortOrTooLongIsRefused() {
    byte[] file = small().toBytes();
    FileForge.payloads(file)
        .forEach(
            (type, bytes) -> {
              for (int length = 0; length < bytes.length; length++) {
                byte[] shorter = FileForge.with(file, type, Arrays.copyOf(bytes, length));
                assertThrows(InvalidModelException.class, () -> Learner.fromBytes(shorter));
              }
              refusedAsLearner(FileForge.with(file, type, Arrays.copyOf(bytes, bytes.length + 1)));
            });
  }

  @Test
  void hugeCountsInTinyFiles() {
    for (int count : new int[] {1_000, 1_000_000, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      refusedAsModel(withModel(small(), out -> out.i32(count)));
      for (int storage = 0; storage < 3; storage++) {
        int code = storage;
        Consumer<ByteWriter> head =
            out -> {
              out.i32(0);
              out.u8(code);
            };
        // dimension, size, columns, non-zeros
        refusedAsModel(
            withModel(
                small(),
                head.andThen(
                    out -> {
                      out.i32(count);
                      out.i32(1);
                      out.i32(1);
                    })));
        refusedAsModel(
            withModel(
                small(),
                head.andThen(
                    out -> {
                      out.i32(2);
                      out.i32(count);
                      out.i32(1);
                    })));
        refusedAsModel(
            withModel(
                small(),
                head.andThen(
                    out -> {
                      out.i32(2);
                      out.i32(0);
                      out.i32(count);
                    })));
      }
      refusedAsModel(
          withModel(
              small(),
              out -> {
                out.i32(0);
                out.u8(2);
                out.i32(100);
                out.i32(1);
                out.u8(1);
                out.i32(count);
                out.raw(new byte[64]);
              }));
      refusedAsModel(
          patched(small().toBytes(), Sections.CONFIG, LABEL_COUNT, out -> out.i32(count)));
    }
  }

  @Test
  void unknownCodesAreRefusedByName() {
    byte[] file = small().toBytes();
    int[] offsets = {0, 1, 18, 43, 60, 77, 98};
    String[] names = {
      "learner", "kernel", "loss", "coverage", "approximation", "output", "when full"
    };
    int[] firstUnknown = {4, 5, 7, 2, 4, 4, 2};
    for (int i = 0; i < offsets.length; i++) {
      for (int code : new int[] {firstUnknown[i], 200, 255}) {
        String message =
            refusedAsModel(patched(file, Sections.CONFIG, offsets[i], out -> out.u8(code)));
        assertTrue(message.contains("unknown " + names[i] + " code " + code), message);
      }
    }
    int points = 4 + 16;
    String storage = refusedAsModel(patched(file, Sections.MODEL, points, out -> out.u8(3)));
    assertTrue(storage.contains("unknown storage code 3"), storage);
    String centre = refusedAsModel(patched(file, Sections.MODEL, points + 9, out -> out.u8(2)));
    assertTrue(centre.contains("unknown centre code 2"), centre);
    String started = refusedAsLearner(patched(file, Sections.LEARNER, 0, out -> out.u8(2)));
    assertTrue(started.contains("unknown started code 2"), started);
  }

  @Test
  void configurationsThatNoBuilderGivesAreRefused() {
    byte[] file = small().toBytes();
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 0, out -> out.u8(1)))
            .contains("loss must fit the task REGRESSION"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 2, out -> out.f64(-1)))
            .contains("gamma must be > 0 and finite, was -1.0"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 35, out -> out.f64(Double.NaN)))
            .contains("lambda must be finite, was NaN"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 94, out -> out.i32(-1)))
            .contains("budget must be >= 0 (0: no limit), was -1"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 107, out -> out.i32(Integer.MAX_VALUE)))
            .contains("features must be"));
  }

  @Test
  void declaredLabelsMustBeDistinctToo() {
    byte[] file = classifier().labels(distinct(50_000)).build().toBytes();
    byte[] twice = patched(file, Sections.CONFIG, LABEL_COUNT + 4 + 8 * 49_999, out -> out.f64(7));
    String message = refusedAsModel(twice);
    assertTrue(message.contains("labels must be distinct, was 7.0 twice"), message);
  }

  @Test
  void aModelIsNoLearner() throws InvalidModelException {
    byte[] file = ModelFormat.write(small().snapshot());
    assertEquals(5, ModelFormat.read(file).size());
    assertTrue(refusedAsLearner(file).contains("a model cannot go on learning"));
    byte[] usual = ModelFormat.write(Avm.classifier().build().snapshot());
    assertTrue(refusedAsLearner(usual).contains("save the learner instead"));
  }
}
