/* Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The second-order step, as avm4j's SecondOrder does it: one pass over half of P that applies the
 * pending rank-one update and multiplies by k, then the coefficients. With -DBLAS also by dsymv and
 * dsyr. Arguments: size, milliseconds. Prints nanoseconds a step: own loop, then BLAS if built in. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef BLAS
#include <cblas.h>
#endif

#define VECTORS 64

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (*state >> 11) * 0x1p-53;
}

static void step(int n, double **rows, double **pending, double **product, const double *k,
                 double *w) {
  double *q = *pending, *out = *product;
  memset(out, 0, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    double *restrict row = rows[i];
    double *restrict o = out;
    const double qi = q[i], ki = k[i];
    double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    int j = 0;
    for (; j + 32 <= i; j += 32) {
      for (int l = 0; l < 8; l++) {
        double m0 = row[j + l] - qi * q[j + l], m1 = row[j + 8 + l] - qi * q[j + 8 + l];
        double m2 = row[j + 16 + l] - qi * q[j + 16 + l], m3 = row[j + 24 + l] - qi * q[j + 24 + l];
        row[j + l] = m0; row[j + 8 + l] = m1; row[j + 16 + l] = m2; row[j + 24 + l] = m3;
        sum0 += m0 * k[j + l]; sum1 += m1 * k[j + 8 + l];
        sum2 += m2 * k[j + 16 + l]; sum3 += m3 * k[j + 24 + l];
        o[j + l] += m0 * ki; o[j + 8 + l] += m1 * ki;
        o[j + 16 + l] += m2 * ki; o[j + 24 + l] += m3 * ki;
      }
    }
    for (; j < i; j++) {
      double m = row[j] - qi * q[j];
      row[j] = m;
      sum0 += m * k[j];
      o[j] += m * ki;
    }
    double m = row[i] - qi * qi;
    row[i] = m;
    o[i] += sum0 + sum1 + sum2 + sum3 + m * ki;
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += out[i] * k[i];
  double root = sqrt(1 / (4 + s));
  for (int i = 0; i < n; i++) {
    w[i] -= 1e-3 * out[i];
    out[i] *= root;
  }
  *pending = out;
  *product = q;
}

static double *vector(int n) { return aligned_alloc(64, ((size_t)n * 8 + 63) & ~(size_t)63); }

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int n = atoi(argv[1]);
  double millis = atof(argv[2]);
  uint64_t state = 7;
  double *k[VECTORS];
  for (int v = 0; v < VECTORS; v++) {
    k[v] = vector(n);
    for (int i = 0; i < n; i++) k[v][i] = uniform(&state);
  }
  double **rows = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++) {
    rows[i] = vector(i + 1);
    memset(rows[i], 0, (i + 1) * sizeof(double));
    rows[i][i] = 100;
  }
  double *pending = vector(n), *product = vector(n), *w = vector(n);
  memset(pending, 0, n * sizeof(double));
  memset(w, 0, n * sizeof(double));
  double end = now() + millis * 1e6, begin = 0;
  long steps = 0;
  for (int phase = 0; phase < 2; phase++) {
    begin = now();
    end = begin + millis * 1e6 * (phase ? 1 : 0.3);
    for (steps = 0; now() < end; steps += 16)
      for (int v = 0; v < 16; v++) step(n, rows, &pending, &product, k[(steps + v) % VECTORS], w);
  }
  printf("%.2f\n", (now() - begin) / steps);
#ifdef BLAS
  double *p = vector(n * n);
  memset(p, 0, (size_t)n * n * sizeof(double));
  for (int i = 0; i < n; i++) p[(size_t)i * n + i] = 100;
  for (int phase = 0; phase < 2; phase++) {
    begin = now();
    end = begin + millis * 1e6 * (phase ? 1 : 0.3);
    for (steps = 0; now() < end; steps += 16)
      for (int v = 0; v < 16; v++) {
        const double *kv = k[(steps + v) % VECTORS];
        cblas_dsymv(CblasColMajor, CblasLower, n, 1, p, n, kv, 1, 0, product, 1);
        double s = cblas_ddot(n, product, 1, kv, 1);
        cblas_dsyr(CblasColMajor, CblasLower, n, -1 / (4 + s), product, 1, p, n);
        cblas_daxpy(n, -1e-3, product, 1, w, 1);
      }
  }
  printf("%.2f\n", (now() - begin) / steps);
#endif
  return w[0] == 12345;
}
