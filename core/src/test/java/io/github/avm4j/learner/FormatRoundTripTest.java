// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.KernelKind;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatRoundTripTest {
  private static final List<Kernel> KERNELS =
      Arrays.stream(KernelKind.values()).map(kind -> kind.kernel(0.9, 3.4)).toList();
  private static final List<Loss> LOSSES =
      Arrays.stream(LossKind.values()).map(kind -> kind.loss(0.6 * kind.defaultValue())).toList();
  private static final Approximation[] POLICIES = {
    new Always(), new Never(), new Bernoulli(2.5, 0.7), new Confidence()
  };
  private static final Output[] OUTPUTS = {
    new LastIterate(),
    new UniformAverage(),
    new SuffixAverage(0.4, 77),
    new SuffixAverage(0.4, 0),
    new WeightedAverage()
  };

  private static AvmConfig.Builder<KernelLearner> builder(Loss loss) {
    AvmConfig.Builder<KernelLearner> builder =
        loss.forClassification() ? Avm.paperClassifier() : Avm.paperRegressor();
    return builder.loss(loss).gamma(0.5).delta(0.9).lambda(0.02);
  }

  /** Every configuration of the paper's learner, then of the second-order one. */
  private static List<Learner> variants() {
    List<AvmConfig.Builder<KernelLearner>> variants = new ArrayList<>();
    for (Loss loss : LOSSES) {
      for (Output output : OUTPUTS) {
        variants.add(builder(loss).output(output));
      }
      for (Approximation policy : POLICIES) {
        if (loss.forClassification() || !(policy instanceof Confidence)) {
          variants.add(builder(loss).approximation(policy).output(new WeightedAverage()).seed(-5));
        }
      }
    }
    for (Kernel kernel : KERNELS) {
      variants.add(builder(new Logistic()).kernel(kernel));
    }
    variants.add(builder(new Hinge()).coverage(new Hyperrectangle(1.5)).features(4));
    variants.add(builder(new Hinge()).budget(6).whenFull(WhenFull.REFUSE));
    variants.add(builder(new Hinge()).budget(6));
    variants.add(builder(new Hinge()).labels(2, 1, 0, -7.5));
    variants.add(builder(new SquaredLoss()).yMax(50).lambda(0.001).output(new UniformAverage()));
    List<Learner> learners = new ArrayList<>();
    variants.forEach(variant -> learners.add(variant.build()));
    for (Kernel kernel : KERNELS) {
      for (Loss loss : LOSSES) {
        if (!loss.forClassification() || loss instanceof Logistic) {
          learners.add(Avm.learner(secondOrder(kernel, loss)));
        }
      }
    }
    return learners;
  }

  private static SecondOrderConfig secondOrder(Kernel kernel, Loss loss) {
    boolean classes = loss.forClassification();
    return SecondOrderConfig.builder(classes ? Task.CLASSIFICATION : Task.REGRESSION)
        .kernel(kernel)
        .loss(loss)
        .lambda(0.05)
        .skip(classes ? 0.1 : 0)
        .novelty(0.01)
        .budget(20)
        .labels(classes ? new double[] {1, 0} : new double[0])
        .build();
  }

  private static FeatureVector row(Random random, int kind, int t) {
    double[] x = new double[4];
    for (int j = 0; j < 4; j++) {
      x[j] = kind == 0 || random.nextInt(2) == 0 ? 2 * random.nextGaussian() : 0;
    }
    if (kind == 0) {
      return FeatureVector.dense(x);
    }
    if (t == 0) {
      return FeatureVector.sparse(new int[0], new double[0]);
    }
    int far = kind == 1 ? 3 : 1_000 * t;
    return FeatureVector.sparse(new int[] {0, 1, Math.max(2, far)}, Arrays.copyOf(x, 3));
  }

  /** Saved and read again mid-stream, a learner ends with the very bytes of one never stopped. */
  @Test
  void everyVariantGoesOnToTheBit() throws InvalidModelException {
    int run = 0;
    int exchanged = 0;
    for (Learner variant : variants()) {
      for (int kind = 0; kind < 3; kind++) {
        if (kind < 2 || variant.config().features() == 0) {
          Learner steady = Avm.learner(variant.config());
          goOn(steady, kind, run++);
          exchanged += steady instanceof SecondOrderLearner s && s.replaced() > 0 ? 1 : 0;
        }
      }
    }
    assertTrue(run > 200, run + " runs");
    assertTrue(exchanged >= 10, "core points were replaced in " + exchanged + " runs");
  }

  @Test
  void theSelfConfiguringLearnerGoesOnToTheBit() throws InvalidModelException {
    for (ScalingMode mode : ScalingMode.values()) {
      for (int kind = 0; kind < 3; kind++) {
        goOn(Avm.classifier().scaling(mode).estimation(30).budget(15).build(), kind, kind);
        goOn(
            Avm.regressor().scaling(mode).estimation(30).gamma(0.4).budget(15).build(), kind, kind);
      }
    }
  }

  private static void goOn(Learner steady, int kind, int seed) throws InvalidModelException {
    Random random = new Random(seed);
    boolean classes = steady.task() == Task.CLASSIFICATION;
    Learner stopped = Learner.fromBytes(steady.toBytes());
    // Beyond the horizon of the suffix, and until core points have been replaced.
    int steps = steady instanceof KernelLearner ? 100 : 380;
    for (int t = 0; t < steps; t++) {
      FeatureVector x = row(random, kind, t);
      double y = classes ? random.nextInt(t < 20 ? 2 : 4) : x.get(0);
      assertEquals(steady.predict(x), stopped.predict(x));
      double weight = 0.5 + random.nextDouble();
      steady.learn(x, y, weight);
      stopped.learn(x, y, weight);
      if (t % (t < 36 ? 11 : 71) == 3) {
        assertArrayEquals(
            steady.toBytes(), stopped.toBytes(), t + ", kind " + kind + ": " + steady.config());
        stopped = Learner.fromBytes(steady.toBytes());
        assertEquals(steady.config(), stopped.config());
        assertArrayEquals(steady.toBytes(), stopped.toBytes());
        Model model = ModelFormat.read(steady.toBytes());
        Model snapshot = steady.snapshot();
        assertArrayEquals(ModelFormat.write(snapshot), ModelFormat.write(model));
        assertEquals(snapshot.provenance(), model.provenance());
        assertEquals(snapshot.score(x), model.score(x));
        assertEquals(snapshot.score(x), ModelFormat.read(ModelFormat.write(model)).score(x));
      }
    }
  }

  @Test
  void aLearnerThatHasSeenNothing() throws InvalidModelException {
    Learner learner = Learner.fromBytes(builder(new Hinge()).build().toBytes());
    assertEquals(0, learner.instances());
    learner.learn(new double[] {1, 2, 3}, 5);
    assertEquals(1, learner.size());
  }

  @Test
  void everyFlippedBitAndEveryCutIsFound() throws InvalidModelException {
    Learner learner = builder(new Hinge()).output(new SuffixAverage(0.5, 0)).build();
    for (int i = 0; i < 3; i++) {
      learner.learn(new double[] {i}, i % 2);
    }
    byte[] file = learner.toBytes();
    assertEquals(3, Learner.fromBytes(file).size());
    for (int bit = 0; bit < 8 * file.length; bit++) {
      byte[] flipped = file.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(InvalidModelException.class, () -> ModelFormat.read(flipped));
      assertThrows(InvalidModelException.class, () -> Learner.fromBytes(flipped));
    }
    for (int length = 0; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      assertThrows(InvalidModelException.class, () -> ModelFormat.read(cut));
      assertThrows(InvalidModelException.class, () -> Learner.fromBytes(cut));
    }
    byte[] longer = Arrays.copyOf(file, file.length + 1);
    assertThrows(InvalidModelException.class, () -> ModelFormat.read(longer));
  }

  @Test
  void filesAppearWholeAndReplaceOthers(@TempDir Path folder) throws IOException {
    Learner learner = builder(new Hinge()).build();
    learner.learn(new double[] {1}, 1);
    Path path = folder.resolve("a.avm");
    Avm.save(learner, path);
    assertEquals(1, Avm.loadLearner(path).size());
    assertEquals(1, Avm.loadModel(path).size());
    learner.learn(new double[] {9}, 0);
    Avm.save(learner.snapshot(), path);
    assertEquals(2, Avm.loadModel(path).size());
    InvalidModelException e =
        assertThrows(InvalidModelException.class, () -> Avm.loadLearner(path));
    assertTrue(e.getMessage().contains("cannot go on learning"), e.getMessage());
    try (var files = Files.list(folder)) {
      assertEquals(List.of(path), files.toList());
    }
    // Whoever may read other files of this folder may read a model.
    Path other = Files.write(folder.resolve("other"), new byte[1]);
    if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
      assertEquals(Files.getPosixFilePermissions(other), Files.getPosixFilePermissions(path));
    }
    Path nowhere = folder.resolve("missing").resolve("a.avm");
    assertThrows(IOException.class, () -> Avm.save(learner, nowhere));
  }
}
