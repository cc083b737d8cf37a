// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;

/**
 * The kernels that compete: the Gaussian for smooth functions, the Matérn 3/2 for functions with
 * edges. Kernels of one γ have one length scale, 1/√(2γ), whatever their family.
 */
enum KernelFamily {
  GAUSSIAN {
    @Override
    Kernel of(double gamma) {
      return new Gaussian(gamma);
    }
  },
  MATERN {
    @Override
    Kernel of(double gamma) {
      return new Matern32(Math.sqrt(2 * gamma));
    }
  };

  /** The kernel of the length scale of exp(−γ‖x−y‖²). */
  abstract Kernel of(double gamma);
}
