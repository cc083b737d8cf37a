# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
"""The paper's method in numpy, one instance at a time: Algorithm 2 (hinge loss, always
approximating, last iterate) with the hypersphere coverage of Algorithm 3.

    python3 avm_numpy.py FEATURES GAMMA DELTA LAMBDA CAP FILE...

reads LIBSVM files (plain or .xz) with labels -1 and +1 in order, as one stream, and prints on one
line: instances, core points, prequential mistakes, CPU microseconds an instance. LAMBDA may be
written K/n. CAP is the most core points kept, 0 for no limit; a gradient beyond it is dropped.
"""

import lzma
import sys
import time

import numpy as np

# Where opposite gradients cancel, a score is exactly 0 and the answer -1. Weights that decay step by
# step leave some 1e-14 there instead.
ZERO = 1e-12


def read(files, features):
    rows, labels = [], []
    for name in files:
        opener = lzma.open if name.endswith(".xz") else open
        with opener(name, "rt") as lines:
            for line in lines:
                parts = line.split()
                if not parts:
                    continue
                labels.append(1.0 if float(parts[0]) > 0 else -1.0)
                row = np.zeros(features)
                for part in parts[1:]:
                    index, value = part.split(":")
                    row[int(index) - 1] = float(value)
                rows.append(row)
    return np.array(rows), np.array(labels)


def learn(X, y, gamma, delta, lam, cap):
    """One pass; the number of core points and of mistakes made before learning."""
    core = np.empty((64, X.shape[1]))
    w = np.zeros(64)
    n = mistakes = 0
    for t in range(1, len(y) + 1):
        x, target = X[t - 1], y[t - 1]
        f, nearest, squared = 0.0, -1, np.inf
        if n > 0:
            distances = np.sum((core[:n] - x) ** 2, axis=1)
            nearest = np.argmin(distances)
            squared = distances[nearest]
            f = np.dot(w[:n], np.exp(-gamma * distances))
        if (1.0 if f > ZERO else -1.0) != target:
            mistakes += 1
        if squared >= (delta / 2) ** 2:
            nearest = -1
            if cap == 0 or n < cap:
                if n == len(w):
                    core = np.concatenate((core, np.empty_like(core)))
                    w = np.concatenate((w, np.zeros(n)))
                core[n] = x
                w[n] = 0
                nearest = n
                n += 1
        w[:n] *= (t - 1) / t
        if nearest >= 0 and target * f < 1:
            w[nearest] += target / (lam * t)
    return n, mistakes


def main():
    features, cap = int(sys.argv[1]), int(sys.argv[5])
    gamma, delta = float(sys.argv[2]), float(sys.argv[3])
    X, y = read(sys.argv[6:], features)
    scale = sys.argv[4]
    lam = float(scale[:-2]) / len(y) if scale.endswith("/n") else float(scale)
    start = time.process_time()
    size, mistakes = learn(X, y, gamma, delta, lam, cap)
    spent = time.process_time() - start
    print(len(y), size, mistakes, "%.3f" % (1e6 * spent / len(y)))


if __name__ == "__main__":
    main()
