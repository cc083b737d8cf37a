// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
//
// The loops; included by avm_loops.c, which defines REAL, the type of an element, and the rest.

INLINE VEC NAME(load)(const REAL *p) { return *(const VECU *)p; }

INLINE void NAME(store)(REAL *p, VEC v) { *(VECU *)p = v; }

#ifdef __AVX512F__
INLINE IVEC NAME(smaller)(IVEC a, IVEC b) { return (IVEC)MIN_BITS((__m512i)a, (__m512i)b); }

INLINE int NAME(first_equal)(VEC a, VEC b) {
  unsigned mask = FIRST_MASK(a, b);
  return mask ? __builtin_ctz(mask) : -1;
}
#else
INLINE IVEC NAME(smaller)(IVEC a, IVEC b) {
  IVEC less = a < b;
  return (a & less) | (b & ~less);
}

INLINE int NAME(first_equal)(VEC a, VEC b) {
  IVEC equal = a == b;
  for (int k = 0; k < LANES; k++) {
    if (equal[k]) return k;
  }
  return -1;
}
#endif

INLINE VEC NAME(not_negative)(VEC v) { return (VEC)((IVEC)v & (v > 0)); }

INLINE VEC NAME(exp_of_minus)(VEC q) {
  IVEC bits = (IVEC)q;
  const union {
    REAL value;
    INT bits;
  } limit = {LIMIT};
  VEC c = (VEC)NAME(smaller)(bits, limit.bits - (IVEC){0});
  VEC t = MAGIC - c * LOG2_E;
  VEC n = t - MAGIC;
  VEC r = -c - n * LN2_HIGH - n * LN2_LOW;
  POLYNOMIAL(p, r);
  return p * (VEC)((IVEC)t << SHIFT);
}

// One tile's squared distances to a dense x, feature by feature.
INLINE void NAME(squared)(const REAL *tile, const REAL *x, int dims, REAL *out) {
  enum { N = WIDTH / LANES };
  VEC even[N], odd[N];
  for (int k = 0; k < N; k++) even[k] = odd[k] = (VEC){0};
  int j = 0;
  for (; j < dims - 1; j += 2, tile += 2 * WIDTH) {
    for (int k = 0; k < N; k++) {
      VEC a = x[j] - NAME(load)(tile + k * LANES);
      VEC b = x[j + 1] - NAME(load)(tile + WIDTH + k * LANES);
      even[k] += a * a;
      odd[k] += b * b;
    }
  }
  for (int k = 0; k < N; k++) {
    if (j < dims) {
      VEC a = x[j] - NAME(load)(tile + k * LANES);
      even[k] += a * a;
    }
    NAME(store)(out + k * LANES, even[k] + odd[k]);
  }
}

// One tile's squared distances to a sparse x, through dot products.
INLINE void NAME(squared_sparse)(const REAL *tile, const int *indices, const REAL *values, int nnz,
                                 REAL xx, const REAL *norms, REAL *out) {
  enum { N = WIDTH / LANES };
  VEC sum[N];
  for (int k = 0; k < N; k++) sum[k] = (VEC){0};
  for (int i = 0; i < nnz; i++) {
    const REAL *row = tile + (size_t)indices[i] * WIDTH;
    for (int k = 0; k < N; k++) sum[k] += values[i] * NAME(load)(row + k * LANES);
  }
  for (int k = 0; k < N; k++) {
    VEC s = xx + NAME(load)(norms + k * LANES) - 2 * sum[k];
    NAME(store)(out + k * LANES, NAME(not_negative)(s));
  }
}

// Index of the smallest of n values, n rounded up to whole vectors by infinite padding.
INLINE int NAME(nearest)(const REAL *squared, int n) {
  IVEC m0 = (IVEC)NAME(load)(squared), m1 = m0;
  int i = 0;
  for (; i <= n - 2 * LANES; i += 2 * LANES) {
    IVEC a = (IVEC)NAME(load)(squared + i), b = (IVEC)NAME(load)(squared + i + LANES);
    m0 = NAME(smaller)(m0, a);
    m1 = NAME(smaller)(m1, b);
  }
  for (; i < n; i += LANES) {
    IVEC a = (IVEC)NAME(load)(squared + i);
    m0 = NAME(smaller)(m0, a);
  }
  m0 = NAME(smaller)(m0, m1);
  INT smallest = m0[0];
  for (int k = 1; k < LANES; k++) smallest = m0[k] < smallest ? m0[k] : smallest;
  const union {
    INT bits;
    REAL value;
  } least = {smallest};
  VEC wanted = least.value - (VEC){0};
  for (i = 0; i < n; i += LANES) {
    int k = NAME(first_equal)(NAME(load)(squared + i), wanted);
    if (k >= 0) return i + k;
  }
  return -1;
}

INLINE REAL NAME(weighted_exp)(const REAL *squared, REAL gamma, const REAL *weights, int n) {
  VEC sums[4] = {0};
  int i = 0;
  for (; i <= n - 4 * LANES; i += 4 * LANES) {
    for (int k = 0; k < 4; k++) {
      VEC e = NAME(exp_of_minus)(NAME(load)(squared + i + k * LANES) * gamma);
      sums[k] += NAME(load)(weights + i + k * LANES) * e;
    }
  }
  for (; i < n; i += LANES) {
    sums[0] += NAME(load)(weights + i) * NAME(exp_of_minus)(NAME(load)(squared + i) * gamma);
  }
  VEC s0 = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  REAL sum = 0;
  for (int k = 0; k < LANES; k++) sum += s0[k];
  return sum;
}

typedef struct {
  REAL **tiles;
  REAL *norms, *weights, *squared;
  int size, dims, count;
} NAME(Model);

static __attribute__((noinline)) REAL NAME(dense)(const NAME(Model) *m, const REAL *x, int *near) {
  for (int t = 0; t < m->count; t++) {
    NAME(squared)(m->tiles[t], x, m->dims, m->squared + t * WIDTH);
  }
  for (int i = m->size; i < m->count * WIDTH; i++) m->squared[i] = INFINITY;
  *near = NAME(nearest)(m->squared, m->size);
  return NAME(weighted_exp)(m->squared, (REAL)0.1, m->weights, m->size);
}

static __attribute__((noinline)) REAL NAME(sparse)(const NAME(Model) *m, const int *indices,
                                                   const REAL *values, int nnz, int *near) {
  REAL xx = 0;
  for (int k = 0; k < nnz; k++) xx += values[k] * values[k];
  for (int t = 0; t < m->count; t++) {
    NAME(squared_sparse)
    (m->tiles[t], indices, values, nnz, xx, m->norms + t * WIDTH, m->squared + t * WIDTH);
  }
  for (int i = m->size; i < m->count * WIDTH; i++) m->squared[i] = INFINITY;
  *near = NAME(nearest)(m->squared, m->size);
  return NAME(weighted_exp)(m->squared, (REAL)0.1, m->weights, m->size);
}

static REAL *NAME(array)(size_t n, int offset) {
  char *p = aligned_alloc(64, (n * sizeof(REAL) + offset + 127) / 64 * 64);
  memset(p, 0, n * sizeof(REAL) + offset);
  return (REAL *)(p + offset);
}

static double NAME(measure)(int size, int dims, int nnz, int offset, double milliseconds) {
  enum { INSTANCES = 64 };
  NAME(Model) m = {.size = size, .dims = dims, .count = (size + WIDTH - 1) / WIDTH};
  size_t padded = (size_t)m.count * WIDTH;
  m.tiles = malloc(m.count * sizeof *m.tiles);
  m.norms = NAME(array)(padded, offset);
  m.weights = NAME(array)(padded, offset);
  m.squared = NAME(array)(padded, offset);
  srand(1);
  for (int t = 0; t < m.count; t++) {
    m.tiles[t] = NAME(array)((size_t)dims * WIDTH, offset);
    for (int i = 0; i < dims * WIDTH; i++) {
      if (t * WIDTH + i % WIDTH >= size) continue;
      REAL v = (REAL)rand() / (REAL)RAND_MAX;
      m.tiles[t][i] = v;
      m.norms[t * WIDTH + i % WIDTH] += v * v;
    }
  }
  for (int i = 0; i < size; i++) m.weights[i] = (REAL)rand() / (REAL)RAND_MAX - (REAL)0.5;
  REAL *x[INSTANCES];
  int *indices[INSTANCES];
  int columns = nnz ? nnz : dims;
  for (int i = 0; i < INSTANCES; i++) {
    x[i] = NAME(array)(columns, offset);
    indices[i] = malloc(columns * sizeof(int));
    for (int k = 0; k < columns; k++) {
      x[i][k] = (REAL)rand() / (REAL)RAND_MAX;
      indices[i][k] = (int)((long)dims * k / columns) + rand() % (dims / columns);
    }
  }
  double best = 1e300, total = 0, spent = 0;
  int batch = size * columns > 200000 ? 8 : INSTANCES;
  while (spent < milliseconds * 1e6) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    int near;
    for (int i = 0; i < batch; i++) {
      total += nnz ? NAME(sparse)(&m, indices[i], x[i], nnz, &near) : NAME(dense)(&m, x[i], &near);
      total += near;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    double ns = (b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec);
    spent += ns;
    if (ns < best) best = ns;
  }
  if (total == 0.5) printf("!");
  for (int t = 0; t < m.count; t++) free((char *)m.tiles[t] - offset);
  for (int i = 0; i < INSTANCES; i++) {
    free((char *)x[i] - offset);
    free(indices[i]);
  }
  free((char *)m.norms - offset);
  free((char *)m.weights - offset);
  free((char *)m.squared - offset);
  free(m.tiles);
  return best / batch;
}
