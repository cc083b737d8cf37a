// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
//
// The per-instance work of the Java loops, in C: squared distances to all S core points in 32-wide
// feature-major tiles, nearest core point, exp, weighted sum. Prints the smallest time per instance over many short slots, for data
// 64-byte aligned and 16 bytes off, as Java heap arrays lie.
//
//   gcc -O3 -march=native -o avm_loops avm_loops.c && ./avm_loops
//   ./avm_loops SIZE DIMS NONZEROS MILLISECONDS    one shape, its two times on one line
//
// GCC vector extensions of the widest vectors the target has: 512, 256 or 128 bits.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif

#define WIDTH 32
#define INLINE static inline __attribute__((always_inline))

typedef double vd __attribute__((vector_size(BYTES)));
typedef double vdu __attribute__((vector_size(BYTES), aligned(8), may_alias));
typedef int64_t vl __attribute__((vector_size(BYTES)));

#define REAL double
#define VEC vd
#define VECU vdu
#define INT int64_t
#define IVEC vl
#define NAME(x) x##_double
#define LANES (BYTES / 8)
#define LOG2_E 1.4426950408889634
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define MAGIC (0x1.8p52 + 1023)
#define LIMIT (1023 * 0.6931471805599453)
#define SHIFT 52
#define MIN_BITS _mm512_min_epi64
#define FIRST_MASK(a, b) _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ)
#define POLYNOMIAL(p, r)                                                                          \
  VEC p = r * 0x1.ad7f2bbf8a653p-26 + 0x1.28ad9b4a599e7p-22;                                      \
  p = p * r + 0x1.71df25be26102p-19;                                                              \
  p = p * r + 0x1.a01999e2a9f5cp-16;                                                              \
  p = p * r + 0x1.a01a012a0ad66p-13;                                                              \
  p = p * r + 0x1.6c16c18438939p-10;                                                              \
  p = p * r + 0x1.1111111127d19p-7;                                                               \
  p = p * r + 0x1.555555555083fp-5;                                                               \
  p = p * r + 0x1.55555555554f9p-3;                                                               \
  p = p * r + 0x1.000000000000ap-1;                                                               \
  p = p * r + 1;                                                                                  \
  p = p * r + 1
#include "avm_loops.h"
typedef struct {
  int size, dims, nonzeros;
} Shape;

// Times of one shape, aligned and 16 bytes off.
static void times_of(Shape s, double milliseconds, double times[2]) {
  for (int i = 0; i < 2; i++) {
    times[i] = measure_double(s.size, s.dims, s.nonzeros, 16 * i, milliseconds);
  }
}

int main(int argc, char **argv) {
  double times[2];
  if (argc == 5) {
    times_of((Shape){atoi(argv[1]), atoi(argv[2]), atoi(argv[3])}, atof(argv[4]), times);
    printf("%.1f %.1f\n", times[0], times[1]);
    return 0;
  }
  static const Shape shapes[] = {{400, 8, 0},    {500, 22, 0}, {60, 54, 0},
                                 {130, 123, 14}, {130, 300, 12}, {27, 384, 0},
                                 {67, 90, 0},    {4000, 22, 0}, {20000, 54, 0}};
  printf("%-16s %12s %12s\n", "ns per instance", "aligned", "16 off");
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    Shape s = shapes[i];
    char label[32];
    snprintf(label, sizeof label, s.nonzeros ? "%dx%d (%d)" : "%dx%d", s.size, s.dims, s.nonzeros);
    times_of(s, 400, times);
    printf("%-16s %12.0f %12.0f\n", label, times[0], times[1]);
    fflush(stdout);
  }
  return 0;
}
