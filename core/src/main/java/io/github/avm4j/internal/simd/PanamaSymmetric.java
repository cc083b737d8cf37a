// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Symmetric matrices on vectors, four rows at a time: what is loaded of q, k and the result serves
 * four rows.
 *
 * <p>Lanes are summed through memory and in one order: {@code lane} has so many nodes that the
 * compiler may give up inlining half-way through {@link #four}, which would box a vector a call,
 * and the order of {@code reduceLanes} is not that of interpreted code.
 */
final class PanamaSymmetric {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final int BLOCK = VectorOps.SYMMETRIC_BLOCK;

  private PanamaSymmetric() {}

  static void updateMultiply(
      double[][] rows, int n, double[] q, double factor, double[] k, double[] out, double[] lanes) {
    Arrays.fill(out, 0, n, 0);
    int i = 0;
    for (; i <= n - 4; i += 4) {
      four(rows, i, q, factor, k, out, lanes);
    }
    for (; i < n; i++) {
      one(rows[i], i, factor * q[i], q, k, out, lanes);
    }
  }

  static void updateTwiceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] k,
      double[] out,
      double[] lanes) {
    Arrays.fill(out, 0, n, 0);
    int i = 0;
    for (; i <= n - 4; i += 4) {
      fourTwice(rows, i, q, factor, u, sign, k, out, lanes);
    }
    for (; i < n; i++) {
      addScaled(factor * q[i], q, rows[i], (i & -BLOCK) + BLOCK);
      one(rows[i], i, sign * u[i], u, k, out, lanes);
    }
  }

  /** Four rows at a time take in q and u, and then v, which finds them in the first cache. */
  static void updateThriceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] v,
      double last,
      double[] k,
      double[] out,
      double[] lanes) {
    Arrays.fill(out, 0, n, 0);
    int i = 0;
    for (; i <= n - 4; i += 4) {
      addTwo(rows, i, q, factor, u, sign);
      addTwo(rows, i + 2, q, factor, u, sign);
      four(rows, i, v, last, k, out, lanes);
    }
    for (; i < n; i++) {
      addScaled(factor * q[i], q, rows[i], (i & -BLOCK) + BLOCK);
      addScaled(sign * u[i], u, rows[i], (i & -BLOCK) + BLOCK);
      one(rows[i], i, last * v[i], v, k, out, lanes);
    }
  }

  /** Two rows take in q and u. */
  private static void addTwo(
      double[][] rows, int i, double[] q, double factor, double[] u, double sign) {
    double[] r0 = rows[i];
    double[] r1 = rows[i + 1];
    DoubleVector f0 = DoubleVector.broadcast(SPECIES, factor * q[i]);
    DoubleVector f1 = DoubleVector.broadcast(SPECIES, factor * q[i + 1]);
    DoubleVector g0 = DoubleVector.broadcast(SPECIES, sign * u[i]);
    DoubleVector g1 = DoubleVector.broadcast(SPECIES, sign * u[i + 1]);
    int end = (i & -BLOCK) + BLOCK;
    for (int j = 0; j < end; j += LANES) {
      DoubleVector qj = DoubleVector.fromArray(SPECIES, q, j);
      DoubleVector uj = DoubleVector.fromArray(SPECIES, u, j);
      uj.fma(g0, qj.fma(f0, DoubleVector.fromArray(SPECIES, r0, j))).intoArray(r0, j);
      uj.fma(g1, qj.fma(f1, DoubleVector.fromArray(SPECIES, r1, j))).intoArray(r1, j);
    }
  }

  private static void four(
      double[][] rows, int i, double[] q, double factor, double[] k, double[] out, double[] lanes) {
    double[] r0 = rows[i];
    double[] r1 = rows[i + 1];
    double[] r2 = rows[i + 2];
    double[] r3 = rows[i + 3];
    DoubleVector f0 = DoubleVector.broadcast(SPECIES, factor * q[i]);
    DoubleVector f1 = DoubleVector.broadcast(SPECIES, factor * q[i + 1]);
    DoubleVector f2 = DoubleVector.broadcast(SPECIES, factor * q[i + 2]);
    DoubleVector f3 = DoubleVector.broadcast(SPECIES, factor * q[i + 3]);
    DoubleVector k0 = DoubleVector.broadcast(SPECIES, k[i]);
    DoubleVector k1 = DoubleVector.broadcast(SPECIES, k[i + 1]);
    DoubleVector k2 = DoubleVector.broadcast(SPECIES, k[i + 2]);
    DoubleVector k3 = DoubleVector.broadcast(SPECIES, k[i + 3]);
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    DoubleVector s2 = s0;
    DoubleVector s3 = s0;
    int below = i & -BLOCK;
    int j = 0;
    for (; j < below; j += LANES) {
      DoubleVector qj = DoubleVector.fromArray(SPECIES, q, j);
      DoubleVector kj = DoubleVector.fromArray(SPECIES, k, j);
      DoubleVector p0 = qj.fma(f0, DoubleVector.fromArray(SPECIES, r0, j));
      DoubleVector p1 = qj.fma(f1, DoubleVector.fromArray(SPECIES, r1, j));
      DoubleVector p2 = qj.fma(f2, DoubleVector.fromArray(SPECIES, r2, j));
      DoubleVector p3 = qj.fma(f3, DoubleVector.fromArray(SPECIES, r3, j));
      p0.intoArray(r0, j);
      p1.intoArray(r1, j);
      p2.intoArray(r2, j);
      p3.intoArray(r3, j);
      s0 = p0.fma(kj, s0);
      s1 = p1.fma(kj, s1);
      s2 = p2.fma(kj, s2);
      s3 = p3.fma(kj, s3);
      DoubleVector o = p0.fma(k0, DoubleVector.fromArray(SPECIES, out, j));
      DoubleVector u = p2.mul(k2);
      p3.fma(k3, u).add(p1.fma(k1, o)).intoArray(out, j);
    }
    for (; j < below + BLOCK; j += LANES) {
      DoubleVector qj = DoubleVector.fromArray(SPECIES, q, j);
      DoubleVector kj = DoubleVector.fromArray(SPECIES, k, j);
      DoubleVector p0 = qj.fma(f0, DoubleVector.fromArray(SPECIES, r0, j));
      DoubleVector p1 = qj.fma(f1, DoubleVector.fromArray(SPECIES, r1, j));
      DoubleVector p2 = qj.fma(f2, DoubleVector.fromArray(SPECIES, r2, j));
      DoubleVector p3 = qj.fma(f3, DoubleVector.fromArray(SPECIES, r3, j));
      p0.intoArray(r0, j);
      p1.intoArray(r1, j);
      p2.intoArray(r2, j);
      p3.intoArray(r3, j);
      s0 = p0.fma(kj, s0);
      s1 = p1.fma(kj, s1);
      s2 = p2.fma(kj, s2);
      s3 = p3.fma(kj, s3);
    }
    s0.intoArray(lanes, 0);
    out[i] += sum(lanes);
    s1.intoArray(lanes, 0);
    out[i + 1] += sum(lanes);
    s2.intoArray(lanes, 0);
    out[i + 2] += sum(lanes);
    s3.intoArray(lanes, 0);
    out[i + 3] += sum(lanes);
  }

  private static void fourTwice(
      double[][] rows,
      int i,
      double[] q,
      double factor,
      double[] v,
      double sign,
      double[] k,
      double[] out,
      double[] lanes) {
    double[] r0 = rows[i];
    double[] r1 = rows[i + 1];
    double[] r2 = rows[i + 2];
    double[] r3 = rows[i + 3];
    DoubleVector f0 = DoubleVector.broadcast(SPECIES, factor * q[i]);
    DoubleVector f1 = DoubleVector.broadcast(SPECIES, factor * q[i + 1]);
    DoubleVector f2 = DoubleVector.broadcast(SPECIES, factor * q[i + 2]);
    DoubleVector f3 = DoubleVector.broadcast(SPECIES, factor * q[i + 3]);
    DoubleVector g0 = DoubleVector.broadcast(SPECIES, sign * v[i]);
    DoubleVector g1 = DoubleVector.broadcast(SPECIES, sign * v[i + 1]);
    DoubleVector g2 = DoubleVector.broadcast(SPECIES, sign * v[i + 2]);
    DoubleVector g3 = DoubleVector.broadcast(SPECIES, sign * v[i + 3]);
    DoubleVector k0 = DoubleVector.broadcast(SPECIES, k[i]);
    DoubleVector k1 = DoubleVector.broadcast(SPECIES, k[i + 1]);
    DoubleVector k2 = DoubleVector.broadcast(SPECIES, k[i + 2]);
    DoubleVector k3 = DoubleVector.broadcast(SPECIES, k[i + 3]);
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    DoubleVector s2 = s0;
    DoubleVector s3 = s0;
    int below = i & -BLOCK;
    int j = 0;
    for (; j < below; j += LANES) {
      DoubleVector qj = DoubleVector.fromArray(SPECIES, q, j);
      DoubleVector vj = DoubleVector.fromArray(SPECIES, v, j);
      DoubleVector kj = DoubleVector.fromArray(SPECIES, k, j);
      DoubleVector p0 = vj.fma(g0, qj.fma(f0, DoubleVector.fromArray(SPECIES, r0, j)));
      DoubleVector p1 = vj.fma(g1, qj.fma(f1, DoubleVector.fromArray(SPECIES, r1, j)));
      DoubleVector p2 = vj.fma(g2, qj.fma(f2, DoubleVector.fromArray(SPECIES, r2, j)));
      DoubleVector p3 = vj.fma(g3, qj.fma(f3, DoubleVector.fromArray(SPECIES, r3, j)));
      p0.intoArray(r0, j);
      p1.intoArray(r1, j);
      p2.intoArray(r2, j);
      p3.intoArray(r3, j);
      s0 = p0.fma(kj, s0);
      s1 = p1.fma(kj, s1);
      s2 = p2.fma(kj, s2);
      s3 = p3.fma(kj, s3);
      DoubleVector o = p0.fma(k0, DoubleVector.fromArray(SPECIES, out, j));
      DoubleVector u = p2.mul(k2);
      p3.fma(k3, u).add(p1.fma(k1, o)).intoArray(out, j);
    }
    for (; j < below + BLOCK; j += LANES) {
      DoubleVector qj = DoubleVector.fromArray(SPECIES, q, j);
      DoubleVector vj = DoubleVector.fromArray(SPECIES, v, j);
      DoubleVector kj = DoubleVector.fromArray(SPECIES, k, j);
      DoubleVector p0 = vj.fma(g0, qj.fma(f0, DoubleVector.fromArray(SPECIES, r0, j)));
      DoubleVector p1 = vj.fma(g1, qj.fma(f1, DoubleVector.fromArray(SPECIES, r1, j)));
      DoubleVector p2 = vj.fma(g2, qj.fma(f2, DoubleVector.fromArray(SPECIES, r2, j)));
      DoubleVector p3 = vj.fma(g3, qj.fma(f3, DoubleVector.fromArray(SPECIES, r3, j)));
      p0.intoArray(r0, j);
      p1.intoArray(r1, j);
      p2.intoArray(r2, j);
      p3.intoArray(r3, j);
      s0 = p0.fma(kj, s0);
      s1 = p1.fma(kj, s1);
      s2 = p2.fma(kj, s2);
      s3 = p3.fma(kj, s3);
    }
    s0.intoArray(lanes, 0);
    out[i] += sum(lanes);
    s1.intoArray(lanes, 0);
    out[i + 1] += sum(lanes);
    s2.intoArray(lanes, 0);
    out[i + 2] += sum(lanes);
    s3.intoArray(lanes, 0);
    out[i + 3] += sum(lanes);
  }

  private static void one(
      double[] row, int i, double f, double[] q, double[] k, double[] out, double[] lanes) {
    DoubleVector fv = DoubleVector.broadcast(SPECIES, f);
    DoubleVector ki = DoubleVector.broadcast(SPECIES, k[i]);
    DoubleVector s = DoubleVector.zero(SPECIES);
    int below = i & -BLOCK;
    int j = 0;
    for (; j < below; j += LANES) {
      DoubleVector p =
          DoubleVector.fromArray(SPECIES, q, j).fma(fv, DoubleVector.fromArray(SPECIES, row, j));
      p.intoArray(row, j);
      s = p.fma(DoubleVector.fromArray(SPECIES, k, j), s);
      p.fma(ki, DoubleVector.fromArray(SPECIES, out, j)).intoArray(out, j);
    }
    for (; j < below + BLOCK; j += LANES) {
      DoubleVector p =
          DoubleVector.fromArray(SPECIES, q, j).fma(fv, DoubleVector.fromArray(SPECIES, row, j));
      p.intoArray(row, j);
      s = p.fma(DoubleVector.fromArray(SPECIES, k, j), s);
    }
    s.intoArray(lanes, 0);
    out[i] += sum(lanes);
  }

  static void multiply(double[][] rows, int n, double[] k, double[] out, double[] lanes) {
    Arrays.fill(out, 0, n, 0);
    int i = 0;
    for (; i <= n - 4; i += 4) {
      fourRead(rows, i, k, out, lanes);
    }
    for (; i < n; i++) {
      oneRead(rows[i], i, k, out, lanes);
    }
  }

  private static void fourRead(double[][] rows, int i, double[] k, double[] out, double[] lanes) {
    double[] r0 = rows[i];
    double[] r1 = rows[i + 1];
    double[] r2 = rows[i + 2];
    double[] r3 = rows[i + 3];
    DoubleVector k0 = DoubleVector.broadcast(SPECIES, k[i]);
    DoubleVector k1 = DoubleVector.broadcast(SPECIES, k[i + 1]);
    DoubleVector k2 = DoubleVector.broadcast(SPECIES, k[i + 2]);
    DoubleVector k3 = DoubleVector.broadcast(SPECIES, k[i + 3]);
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    DoubleVector s2 = s0;
    DoubleVector s3 = s0;
    int below = i & -BLOCK;
    int j = 0;
    for (; j < below; j += LANES) {
      DoubleVector kj = DoubleVector.fromArray(SPECIES, k, j);
      DoubleVector p0 = DoubleVector.fromArray(SPECIES, r0, j);
      DoubleVector p1 = DoubleVector.fromArray(SPECIES, r1, j);
      DoubleVector p2 = DoubleVector.fromArray(SPECIES, r2, j);
      DoubleVector p3 = DoubleVector.fromArray(SPECIES, r3, j);
      s0 = p0.fma(kj, s0);
      s1 = p1.fma(kj, s1);
      s2 = p2.fma(kj, s2);
      s3 = p3.fma(kj, s3);
      DoubleVector o = p0.fma(k0, DoubleVector.fromArray(SPECIES, out, j));
      DoubleVector u = p2.mul(k2);
      p3.fma(k3, u).add(p1.fma(k1, o)).intoArray(out, j);
    }
    for (; j < below + BLOCK; j += LANES) {
      DoubleVector kj = DoubleVector.fromArray(SPECIES, k, j);
      s0 = DoubleVector.fromArray(SPECIES, r0, j).fma(kj, s0);
      s1 = DoubleVector.fromArray(SPECIES, r1, j).fma(kj, s1);
      s2 = DoubleVector.fromArray(SPECIES, r2, j).fma(kj, s2);
      s3 = DoubleVector.fromArray(SPECIES, r3, j).fma(kj, s3);
    }
    s0.intoArray(lanes, 0);
    out[i] += sum(lanes);
    s1.intoArray(lanes, 0);
    out[i + 1] += sum(lanes);
    s2.intoArray(lanes, 0);
    out[i + 2] += sum(lanes);
    s3.intoArray(lanes, 0);
    out[i + 3] += sum(lanes);
  }

  private static void oneRead(double[] row, int i, double[] k, double[] out, double[] lanes) {
    DoubleVector ki = DoubleVector.broadcast(SPECIES, k[i]);
    DoubleVector s = DoubleVector.zero(SPECIES);
    int below = i & -BLOCK;
    int j = 0;
    for (; j < below; j += LANES) {
      DoubleVector p = DoubleVector.fromArray(SPECIES, row, j);
      s = p.fma(DoubleVector.fromArray(SPECIES, k, j), s);
      p.fma(ki, DoubleVector.fromArray(SPECIES, out, j)).intoArray(out, j);
    }
    for (; j < below + BLOCK; j += LANES) {
      s = DoubleVector.fromArray(SPECIES, row, j).fma(DoubleVector.fromArray(SPECIES, k, j), s);
    }
    s.intoArray(lanes, 0);
    out[i] += sum(lanes);
  }

  private static double sum(double[] lanes) {
    return lanes[0]
        + lanes[1]
        + (LANES > 2 ? lanes[2] + lanes[3] : 0)
        + (LANES > 4 ? lanes[4] + lanes[5] + (lanes[6] + lanes[7]) : 0);
  }

  static void addScaled(double a, double[] x, double[] y, int n) {
    DoubleVector av = DoubleVector.broadcast(SPECIES, a);
    int i = 0;
    for (; i <= n - LANES; i += LANES) {
      DoubleVector.fromArray(SPECIES, x, i)
          .fma(av, DoubleVector.fromArray(SPECIES, y, i))
          .intoArray(y, i);
    }
    for (; i < n; i++) {
      y[i] = Math.fma(a, x[i], y[i]);
    }
  }
}
