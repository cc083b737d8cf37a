// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.patched;
import static io.github.avm4j.learner.HostileFiles.refusedAsLearner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.model.FileForge;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Sections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OriginsTest {
  private final Random random = new Random(1);

  private AutoLearner taught() {
    AutoLearner learner = Avm.classifier().estimation(20).budget(10).build();
    for (int i = 0; i < 100; i++) {
      learn(learner);
    }
    return learner;
  }

  private void learn(AutoLearner learner) {
    double[] x = {random.nextGaussian(), random.nextGaussian()};
    learner.learn(x, x[0] > 0 ? 1 : 0);
  }

  private static AutoLearner read(AutoLearner learner) throws InvalidModelException {
    return (AutoLearner) LearnerFormat.read(learner.toBytes());
  }

  @Test
  void identityIsThatOfTheState() throws InvalidModelException {
    AutoLearner learner = taught();
    long before = Origins.identity(learner);
    learner.predict(new double[] {1, 2});
    assertEquals(before, Origins.identity(learner));
    assertEquals(before, Origins.identity(read(learner)));
    long skipped = 0;
    for (int i = 0; i < 50; i++) {
      long learned = learner.learned();
      learn(learner);
      skipped += learner.learned() == learned ? 1 : 0;
      assertNotEquals(before, Origins.identity(learner), "an instance more");
      before = Origins.identity(learner);
    }
    assertTrue(skipped > 0, "none was known well enough to be skipped");
  }

  @Test
  void shardsAndMergesKnowWhatTheyBeganAs() throws InvalidModelException {
    AutoLearner start = taught();
    assertEquals(Origins.NONE, start.origins);
    assertFalse(FileForge.payloads(start.toBytes()).containsKey(Sections.ORIGINS));
    AutoLearner shard = read(AutoSum.shard(start));
    learn(shard);
    assertTrue(shard.origins.contains(start));
    AutoLearner again = read(AutoSum.shard(shard));
    assertTrue(again.origins.contains(start) && again.origins.contains(shard));
    AutoLearner merged = read(AutoSum.of(start, List.of(shard)));
    assertEquals(shard.origins, merged.origins);
    assertFalse(merged.origins.contains(shard));
  }

  @Test
  void oldStartsAreDropped() {
    AutoLearner first = taught();
    AutoLearner newest = first;
    AutoLearner before = first;
    for (int round = 0; round < 2 * Origins.MOST; round++) {
      before = newest;
      newest = AutoSum.shard(newest);
      learn(newest);
    }
    assertEquals(Origins.MOST, newest.origins.starts().size());
    assertTrue(newest.origins.contains(before));
    assertFalse(newest.origins.contains(first));
  }

  @Test
  void filesAreChecked() {
    byte[] file = AutoSum.shard(taught()).toBytes();
    String more = refusedAsLearner(patched(file, Sections.ORIGINS, 0, out -> out.u8(2)));
    assertTrue(more.contains("cut short"), more);
    String none = refusedAsLearner(patched(file, Sections.ORIGINS, 0, out -> out.u8(0)));
    assertTrue(none.contains("8 bytes too many"), none);
    String many = refusedAsLearner(patched(file, Sections.ORIGINS, 0, out -> out.u8(17)));
    assertTrue(many.contains("unknown starts code 17"), many);
  }
}
