// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.testing.Streams;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelTest {
  static Stream<Kernel> kernels() {
    return Stream.concat(
        Stream.of(new Gaussian(30), new RationalQuadratic(0.5, 2.5)),
        Arrays.stream(KernelKind.values()).map(kind -> kind.kernel(0.5)));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void valuesEqualsValue(Kernel kernel) {
    Random random = new Random(3);
    for (int n : new int[] {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100}) {
      double[] squared = new double[n + 16];
      for (int i = 0; i < n; i++) {
        squared[i] = i == 0 ? 0 : Math.exp(20 * random.nextDouble() - 12);
      }
      double[] before = squared.clone();
      double[] out = new double[n + 16];
      kernel.values(squared, out, n);
      for (int i = 0; i < n; i++) {
        double expected = kernel.value(squared[i]);
        assertEquals(expected, out[i], 1e-14 * expected + 1e-300, kernel + " at " + squared[i]);
        assertEquals(before[i], squared[i]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void isOneAtZeroAndDecreasing(Kernel kernel) {
    assertEquals(1, kernel.value(0));
    double previous = 1;
    for (double s = 1e-6; s < 1e3; s *= 1.5) {
      double value = kernel.value(s);
      assertTrue(value < previous || value == 0, kernel + " at " + s);
      assertTrue(value >= 0);
      previous = value;
    }
  }

  /** Every Gram matrix, with a little on its diagonal, has a Cholesky factor. */
  @ParameterizedTest
  @MethodSource("kernels")
  void gramMatricesArePositiveSemiDefinite(Kernel kernel) {
    for (int d : new int[] {1, 2, 5}) {
      int n = 40;
      double[][] points = Streams.gaussian(4, n, d).toArray(double[][]::new);
      double[][] gram = new double[n][n];
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
          double s = 0;
          for (int j = 0; j < d; j++) {
            s += 4 * (points[i][j] - points[k][j]) * (points[i][j] - points[k][j]);
          }
          gram[i][k] = kernel.value(s) + (i == k ? 1e-9 : 0);
        }
      }
      assertTrue(hasCholeskyFactor(gram), kernel + " in " + d + " dimensions");
    }
  }

  private static boolean hasCholeskyFactor(double[][] a) {
    for (int k = 0; k < a.length; k++) {
      for (int j = 0; j < k; j++) {
        for (int i = k; i < a.length; i++) {
          a[i][k] -= a[i][j] * a[k][j];
        }
      }
      if (!(a[k][k] > 0)) {
        return false;
      }
      double root = Math.sqrt(a[k][k]);
      for (int i = k; i < a.length; i++) {
        a[i][k] /= root;
      }
    }
    return true;
  }

  @Test
  void theCholeskyCheckCanFail() {
    assertTrue(hasCholeskyFactor(new double[][] {{1, 0.5}, {0.5, 1}}));
    assertTrue(!hasCholeskyFactor(new double[][] {{1, 1.5}, {1.5, 1}}));
  }

  @Test
  void valuesByIndependentNumbers() {
    double s = 2.25;
    assertEquals(Math.exp(-1.125), new Gaussian(0.5).value(s), 1e-16);
    assertEquals(Math.exp(-0.75), new Laplacian(0.5).value(s), 1e-16);
    assertEquals(0.6271639525935853, new Matern32(0.5).value(s), 1e-15);
    assertEquals(0.6756478000186598, new Matern52(0.5).value(s), 1e-15);
    assertEquals(0.39498444639115327, new RationalQuadratic(0.5, 2.5).value(s), 1e-15);
    assertEquals(1 / 2.125, new RationalQuadratic(0.5, 1).value(s), 1e-15);
  }

  @Test
  void imageDiametersByIndependentNumbers() {
    assertEquals(1.1621940738462317, new Gaussian(0.5).imageDiameter(1.5), 1e-15);
    assertEquals(1.0272618432113454, new Laplacian(0.5).imageDiameter(1.5), 1e-15);
    assertEquals(0.8635230713842158, new Matern32(0.5).imageDiameter(1.5), 1e-15);
    assertEquals(0.8054218770077459, new Matern52(0.5).imageDiameter(1.5), 1e-15);
    assertEquals(1.1000141395535303, new RationalQuadratic(0.5, 2.5).imageDiameter(1.5), 1e-15);
  }

  @Test
  void aSmallImageDiameterDoesNotCancel() {
    assertEquals(2e-8, new Gaussian(2).imageDiameter(1e-8), 1e-23);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void imageDiameterGrowsFromZeroToAtMostRootTwo(Kernel kernel) {
    assertEquals(0, kernel.imageDiameter(0));
    double previous = 0;
    for (double delta = 1e-3; delta < 100; delta *= 2) {
      double image = kernel.imageDiameter(delta);
      assertTrue(image > previous || image == Math.sqrt(2), kernel + " at " + delta);
      assertTrue(image <= Math.sqrt(2));
      previous = image;
    }
  }

  @Test
  void rationalQuadraticTendsToGaussian() {
    double gaussian = new Gaussian(0.7).value(1.3);
    assertEquals(gaussian, new RationalQuadratic(0.7, 1e7).value(1.3), 1e-7);
    assertTrue(Math.abs(gaussian - new RationalQuadratic(0.7, 1).value(1.3)) > 0.05);
  }

  @Test
  void everyWidthIsCheckedAndNamed() {
    for (double gamma : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      for (KernelKind kind : KernelKind.values()) {
        String message =
            assertThrows(IllegalArgumentException.class, () -> kind.kernel(gamma)).getMessage();
        assertEquals("gamma must be > 0 and finite, was " + gamma, message);
      }
      String message =
          assertThrows(IllegalArgumentException.class, () -> new RationalQuadratic(1, gamma))
              .getMessage();
      assertEquals("alpha must be > 0 and finite, was " + gamma, message);
    }
  }

  @Test
  void everyKernelHasARow() {
    Set<Class<?>> types = new HashSet<>();
    for (KernelKind kind : KernelKind.values()) {
      Kernel kernel = kind.kernel(0.5, 3);
      types.add(kernel.getClass());
      assertEquals(kind, KernelKind.of(kernel));
      assertEquals(kind, KernelKind.ofCode(kind.code()));
      assertEquals(kernel, kind.kernel(kernel.gamma(), kind.shapeOf(kernel)));
    }
    assertEquals(Set.of(Kernel.class.getPermittedSubclasses()), types);
    assertNull(KernelKind.ofCode(KernelKind.values().length));
  }
}
