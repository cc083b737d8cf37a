// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.KernelKind;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.ModelSizeBound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Theorems on δ-coverages: their image, their cells, their size; for any order of arrival. */
class CoverageTheoremsTest {
  private static final double DELTA = 0.25;
  private static final List<Kernel> KERNELS =
      Arrays.stream(KernelKind.values()).map(kind -> kind.kernel(1.1, 0.6)).toList();

  private static Map<String, List<Instance>> orders() {
    Map<String, List<Instance>> result = new LinkedHashMap<>();
    result.put("random", Streams.checkerboard(4, 1500, 1));
    result.put("sorted", Streams.sorted(Streams.checkerboard(4, 1500, 2)));
    result.put("clustered", Streams.clustered(Streams.blobs(5, 3, 1500, 3)));
    result.put("spiral", Streams.spiral(9, 1500));
    result.put("exactly half delta", Streams.exactlyHalfDelta(DELTA, 9, 2, 4));
    result.put("drift", Streams.abruptDrift(3, 2, 1500, 5));
    return result;
  }

  @TestFactory
  Stream<DynamicTest> everyInstanceLiesInItsCellAndCellsStayApart() {
    return orders().entrySet().stream()
        .flatMap(
            order ->
                Stream.<Coverage>of(new Hypersphere(DELTA), new Hyperrectangle(DELTA))
                    .map(
                        coverage ->
                            DynamicTest.dynamicTest(
                                order.getKey() + ", " + coverage,
                                () -> check(order.getValue(), coverage))));
  }

  private static void check(List<Instance> rows, Coverage coverage) {
    int d = rows.get(0).x().count();
    double a = DELTA / Math.sqrt(d);
    boolean spheres = coverage instanceof Hypersphere;
    BiPredicate<FeatureVector, FeatureVector> holds =
        spheres
            ? (x, c) -> PaperKernel.distance(x, c) < DELTA / 2
            : (x, c) -> PaperKernel.largestDifference(x, c) < a;
    Learner learner =
        Avm.paperClassifier().kernel(new Gaussian(2)).coverage(coverage).lambda(0.01).build();
    List<FeatureVector> cores = new ArrayList<>();
    for (Instance row : rows) {
      learner.learn(row.x(), row.y());
      if (learner.size() > cores.size()) {
        assertTrue(cores.stream().noneMatch(c -> holds.test(row.x(), c)), "a cell in another cell");
        cores.add(learner.snapshot().corePoint(cores.size()));
      }
      FeatureVector core =
          cores.stream().filter(c -> holds.test(row.x(), c)).findFirst().orElseThrow();
      assertTrue(PaperKernel.distance(row.x(), core) <= coverage.reach());
      for (Kernel kernel : KERNELS) {
        double image = PaperKernel.imageDistance(kernel, row.x(), core);
        assertTrue(image <= kernel.imageDiameter(coverage.reach()) + 1e-12);
        assertTrue(image <= kernel.imageDiameter(DELTA) + 1e-12);
      }
    }
    assertEquals(cores.size(), learner.size());
    double diameter = 0;
    for (Instance one : rows) {
      // No farther from each other than twice from the first: the bound grows with the diameter.
      diameter = Math.max(diameter, 2 * PaperKernel.distance(rows.get(0).x(), one.x()));
    }
    double bound = ModelSizeBound.cells(coverage, diameter, d);
    assertTrue(cores.size() > 5 && cores.size() <= bound, cores.size() + " cells of " + bound);
  }

  /** An open ball of radius δ/2 does not hold its neighbours at δ/2, so every point is a core. */
  @Test
  void pointsExactlyHalfDeltaApartAreAllCores() {
    for (boolean sparse : new boolean[] {false, true}) {
      Learner learner = Avm.paperClassifier().gamma(2).delta(DELTA).lambda(0.01).build();
      for (Instance row : Streams.exactlyHalfDelta(DELTA, 9, 2, 4)) {
        learner.learn(sparse ? row.sparse().x() : row.x(), row.y());
      }
      assertEquals(81, learner.size());
    }
  }

  /** 65 points of diameter √2 that no box of half side 1 shares: (4D/δ)^d would be one cell. */
  @Test
  void boxesExceedTheBoundOfRemark20() {
    int d = 64;
    Coverage boxes = new Hyperrectangle(8);
    Learner learner = Avm.paperClassifier().gamma(1).coverage(boxes).lambda(0.01).build();
    learner.learn(FeatureVector.dense(new double[d]), 0);
    for (int i = 0; i < d; i++) {
      double[] unit = new double[d];
      unit[i] = 1;
      learner.learn(FeatureVector.dense(unit), i % 2);
    }
    assertEquals(65, learner.size());
    double diameter = Math.sqrt(2);
    assertTrue(Math.pow(4 * diameter / boxes.delta(), d) < 1, "Remark 20 allows less than a cell");
    assertTrue(learner.size() <= ModelSizeBound.cells(boxes, diameter, d));
    assertEquals(1, ModelSizeBound.cells(new Hypersphere(8), diameter, d));
  }

  @Test
  void imageDiameterIsTheFormulaGrowsAndVanishes() {
    for (Kernel kernel : KERNELS) {
      double previous = 0;
      for (double delta = 1e-9; delta < 100; delta *= 1.5) {
        double image = kernel.imageDiameter(delta);
        double formula = Math.sqrt(2 * (1 - PaperKernel.ofDistance(kernel, delta)));
        assertEquals(formula, image, 3e-8, kernel.toString());
        assertTrue(image >= previous - 3e-8 && image <= Math.sqrt(2), kernel.toString());
        previous = image;
      }
      assertTrue(kernel.imageDiameter(1e-9) < 1e-4, kernel.toString());
      assertTrue(previous > 1, kernel.toString());
    }
  }
}
