// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.patched;
import static io.github.avm4j.learner.HostileFiles.refusedAsLearner;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.internal.auto.Origins;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
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
    return (AutoLearner) Learner.fromBytes(learner.toBytes());
  }

  @Test
  void identityIsThatOfTheState() throws InvalidModelException {
    AutoLearner learner = taught();
    long before = Origins.identity(learner.engine);
    learner.predict(new double[] {1, 2});
    assertEquals(before, Origins.identity(learner.engine));
    assertEquals(before, Origins.identity(read(learner).engine));
    long skipped = 0;
    for (int i = 0; i < 50; i++) {
      long learned = learner.learned();
      learn(learner);
      skipped += learner.learned() == learned ? 1 : 0;
      assertNotEquals(before, Origins.identity(learner.engine), "an instance more");
      before = Origins.identity(learner.engine);
    }
    assertTrue(skipped > 0, "none was known well enough to be skipped");
  }

  @Test
  void shardsAndMergesKnowWhatTheyBeganAs() throws InvalidModelException {
    AutoLearner start = taught();
    assertEquals(Origins.NONE, start.engine.origins);
    assertFalse(FileForge.payloads(start.toBytes()).containsKey(Sections.ORIGINS));
    AutoLearner shard = read(Merge.shard(start));
    learn(shard);
    assertTrue(shard.engine.origins.contains(start.engine));
    AutoLearner again = read(Merge.shard(shard));
    assertTrue(
        again.engine.origins.contains(start.engine) && again.engine.origins.contains(shard.engine));
    AutoLearner merged = read(Merge.of(start, List.of(shard)));
    assertEquals(shard.engine.origins, merged.engine.origins);
    assertFalse(merged.engine.origins.contains(shard.engine));
  }

  @Test
  void oldStartsAreDropped() {
    AutoLearner first = taught();
    AutoLearner newest = first;
    AutoLearner before = first;
    for (int round = 0; round < 2 * Origins.MOST; round++) {
      before = newest;
      newest = Merge.shard(newest);
      learn(newest);
    }
    assertEquals(Origins.MOST, newest.engine.origins.starts().size());
    assertTrue(newest.engine.origins.contains(before.engine));
    assertFalse(newest.engine.origins.contains(first.engine));
  }

  @Test
  void filesAreChecked() {
    byte[] file = Merge.shard(taught()).toBytes();
    String more = refusedAsLearner(patched(file, Sections.ORIGINS, 0, out -> out.u8(2)));
    assertTrue(more.contains("cut short"), more);
    String none = refusedAsLearner(patched(file, Sections.ORIGINS, 0, out -> out.u8(0)));
    assertTrue(none.contains("8 bytes too many"), none);
    String many = refusedAsLearner(patched(file, Sections.ORIGINS, 0, out -> out.u8(17)));
    assertTrue(many.contains("unknown starts code 17"), many);
  }
}
