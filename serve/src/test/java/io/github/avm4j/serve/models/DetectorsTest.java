// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.follow.FollowedFolder;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.http.EventLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Detectors in a folder: found as models are, and bad files change nothing. */
class DetectorsTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final EventLog log =
      new EventLog(new PrintStream(said, true, StandardCharsets.UTF_8), Clock.systemUTC());
  private final ModelRepository repository = new ModelRepository(3, log, Clock.systemUTC());

  @TempDir Path folder;

  private FollowedFolder source() throws Exception {
    return new FollowedFolder(folder, repository);
  }

  private void put(String file, RowDetector detector) throws Exception {
    Avm.save(detector.toBytes(), folder.resolve(file));
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  private ServedDetector current() {
    return assertNotNull2(repository.detectors().find("d"));
  }

  private static ServedDetector assertNotNull2(ServedDetector detector) {
    assertNotNull(detector);
    return detector;
  }

  @Test
  void theNewestVersionJudges() throws Exception {
    put("d-7.avm", TestModels.vectors(7));
    put("d-9.avm", TestModels.vectors(9));
    put("d-8.avm", TestModels.vectors(8));
    FollowedFolder source = source();
    source.poll();
    assertEquals(9, current().number());
    assertTrue(repository.isReady());
    assertEquals(1, repository.loads(), "older ones are not loaded");
    put("d-10.avm", TestModels.vectors(10));
    put("d-6.avm", TestModels.vectors(6));
    source.poll();
    assertEquals(10, current().number());
    put("d-99999999.avm", TestModels.vectors(3));
    source.poll();
    assertEquals(10, current().number());
    assertTrue(said().contains("more than ten times the newest"), said());
    Files.delete(folder.resolve("d-10.avm"));
    source.poll();
    assertEquals(10, current().number(), "nothing is unloaded");
  }

  @Test
  void aFileWithoutNumberIsANewVersionWhenItChanges() throws Exception {
    put("d.avm", TestModels.vectors(1));
    FollowedFolder source = source();
    source.poll();
    assertEquals(1, current().number());
    put("d.avm", TestModels.vectors(2));
    source.poll();
    assertEquals(2, current().number());
    source.poll();
    assertEquals(2, repository.loads());
  }

  /** Whatever the bytes are: refused with a reason, and the version before goes on. */
  @Test
  void hostileBytesAreRefused() throws Exception {
    put("d-1.avm", TestModels.vectors(1));
    byte[] good = TestModels.vectors(2).toBytes();
    FollowedFolder source = source();
    source.poll();
    Random random = new Random(Long.getLong("avm4j.seed", 3));
    for (int version = 2; version < 60; version++) {
      byte[] bad =
          version % 3 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
      if (bad.length == good.length) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(folder.resolve("d-" + version + ".avm"), bad);
      source.poll();
      assertEquals(1, current().number());
      assertEquals(version - 1, repository.refusals());
    }
    assertNotNull(repository.detectors().refused("d"));
    Files.write(folder.resolve("d-60.avm"), good);
    source.poll();
    assertEquals(60, current().number());
    assertNull(repository.detectors().refused("d"));
  }

  @Test
  void whatCannotJudgeIsRefused() throws Exception {
    Avm.save(Avm.detector().features(2).build().toBytes(), folder.resolve("empty-1.avm"));
    try (RandomAccessFile large = new RandomAccessFile(folder.resolve("d-1.avm").toFile(), "rw")) {
      large.setLength(1L << 30); // of holes
    }
    source().poll();
    assertNull(repository.detectors().find("empty"));
    assertTrue(said().contains("a detector that has learned no row yet"), said());
    assertTrue(said().contains("1073741824 bytes; at most "), said());
  }

  @Test
  void aNameIsAModelsOrADetectors() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    put("d-1.avm", TestModels.vectors(1));
    FollowedFolder source = source();
    source.poll();
    put("m-2.avm", TestModels.vectors(1));
    RunningServer.put(folder, "d-2.avm", TestModels.numbered(2, 10, 2));
    source.poll();
    assertTrue(said().contains("there is a model of this name"), said());
    assertTrue(said().contains("there is a detector of this name"), said());
    assertEquals(1, current().number());
    assertEquals("1", String.valueOf(repository.shelf("m").current().version()));
  }

  @Test
  void otherContentOfALoadedVersionIsRefused() throws Exception {
    put("d-1.avm", TestModels.vectors(1));
    FollowedFolder source = source();
    source.poll();
    String digest = current().digest();
    put("d-1.avm", TestModels.vectors(2));
    source.poll();
    assertEquals(digest, current().digest());
    assertTrue(said().contains("is loaded with other content"), said());
  }

  /** One that learns may grow to its budget, so that is what must fit. */
  @Test
  void oneThatCouldOutgrowTheHeapDoesNotLearn() throws Exception {
    int features = (int) (Runtime.getRuntime().maxMemory() / 6 / 16 / 65_536) + 2;
    var detector = Avm.detector().budget(65_536).features(features).build();
    if ((long) features * 65_536 > io.github.avm4j.config.DetectorConfig.MAX_VALUES) {
      return;
    }
    detector.detectThenLearn(io.github.avm4j.feature.FeatureVector.dense(new double[features]));
    Avm.save(detector.toBytes(), folder.resolve("large.avm"));
    byte[] file = Files.readAllBytes(folder.resolve("large.avm"));
    RefusedModelException refused =
        assertThrows(RefusedModelException.class, () -> DetectorCheck.checkLearning(file));
    assertTrue(refused.reason().contains("its core points may grow to"), refused::reason);
    source().poll();
    assertNotNull(repository.detectors().find("large"));
  }
}
