// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.kernel.Kernel;

/**
 * How the bound on bytes is shared: each of four engines that may run at a time has 7/32 of it, an
 * eighth is left for the scaling and all else. The instances stored while estimating may take as
 * much as an engine.
 */
public final class MemoryShares {
  /** Engines that may run at a time: three in the race for γ and one on trial. */
  public static final int MOST_ENGINES = 4;

  private static final int UNITS = 32;
  private static final int UNITS_PER_ENGINE = 7;

  private MemoryShares() {}

  /** Bytes that an engine, or the stored instances, may hold; 0 for no bound. */
  public static long engine(AutoConfig config) {
    return config.memory() / UNITS * UNITS_PER_ENGINE;
  }

  /** Bytes that all else may hold. */
  static long rest(AutoConfig config) {
    return config.memory() - MOST_ENGINES * engine(config);
  }

  /** The least memory in which an engine may hold so many bytes. */
  static long memoryFor(long engineBytes) {
    return (engineBytes + UNITS_PER_ENGINE - 1) / UNITS_PER_ENGINE * UNITS;
  }

  /**
   * The settings of an engine.
   *
   * @param forgetting the factor, where the configuration does not set it
   */
  public static SecondOrderConfig settings(AutoConfig config, Kernel kernel, double forgetting) {
    return new SecondOrderConfig(
        config.task(),
        kernel,
        config.loss(),
        config.lambda(),
        config.skip(),
        config.novelty(),
        config.forgetting() == 0 ? forgetting : config.forgetting(),
        config.budget(),
        engine(config),
        true,
        config.features(),
        config.labels());
  }
}
