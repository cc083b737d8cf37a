// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Kernel;

/**
 * Nyström's map of rank k over landmarks: z(x) = Λ^−½·Vᵀ·(K(c_1, x) … K(c_B, x)), Λ and V the
 * largest eigenvalues and vectors of the landmarks' Gram matrix, so that z(x)ᵀz(x′) ≈ K(x, x′).
 *
 * <p>C. Williams and M. Seeger, "Using the Nyström Method to Speed Up Kernel Machines", NIPS 2000.
 * Built in O(B³); a map costs O(B·k). Eigenvalues below 1e−10 of the largest are left out.
 */
final class Nystrom {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final double NEGLIGIBLE = 1e-10;

  private final double[][] rows;
  private final double[] roots;
  private final int landmarks;

  Nystrom(CoreSet set, Kernel kernel, int rank) {
    landmarks = set.size();
    double[][] gram = new double[landmarks][];
    CoreDistances distances = new CoreDistances();
    for (int i = 0; i < landmarks; i++) {
      distances.fillFromPoint(set, i, kernel);
      gram[i] = java.util.Arrays.copyOf(distances.kernel(), landmarks);
    }
    for (int i = 0; i < landmarks; i++) {
      for (int j = 0; j < i; j++) {
        gram[i][j] = gram[j][i];
      }
    }
    SymmetricEigen pairs = SymmetricEigen.largest(gram, rank);
    int kept = 0;
    while (kept < pairs.count() && pairs.value(kept) > NEGLIGIBLE * pairs.value(0)) {
      kept++;
    }
    rows = new double[kept][];
    roots = new double[kept];
    for (int r = 0; r < kept; r++) {
      rows[r] = pairs.vector(r);
      roots[r] = Math.sqrt(pairs.value(r));
    }
  }

  int rank() {
    return rows.length;
  }

  /** z(x) from the kernel values of x to the landmarks. */
  void map(double[] kernel, double[] out) {
    for (int r = 0; r < rows.length; r++) {
      out[r] = OPS.dot(rows[r], kernel, landmarks) / roots[r];
    }
  }

  /** Adds factor·VΛ^−½z to {@code out}: coefficients of the landmarks that equal zᵀz(·). */
  void addCoefficients(double factor, double[] z, double[] out) {
    for (int r = 0; r < rows.length; r++) {
      OPS.addScaled(factor * z[r] / roots[r], rows[r], out, landmarks);
    }
  }

  /** The projection of an expansion over the landmarks onto the map's span: VVᵀa. */
  void project(double[] coefficients, double[] out) {
    for (int r = 0; r < rows.length; r++) {
      OPS.addScaled(OPS.dot(rows[r], coefficients, landmarks), rows[r], out, landmarks);
    }
  }

  long bytes() {
    return 8L * rows.length * landmarks;
  }
}
