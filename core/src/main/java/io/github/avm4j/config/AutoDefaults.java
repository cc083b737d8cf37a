// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import java.util.List;

/** What an {@link AutoConfig.Builder} begins with. */
abstract sealed class AutoDefaults permits AutoConfig.Builder {
  final Task task;
  Loss loss;
  KernelChoice kernel = KernelChoice.AUTOMATIC;
  double gamma;
  double lambda = 0.01;
  double skip = 0.2;
  double novelty = 1e-3;
  double forgetting;
  int budget = 512;
  int cells = 256;
  long memory;
  ScalingMode scaling = ScalingMode.AUTOMATIC;
  int estimation = 1000;
  int features;
  List<Double> labels = List.of();
  List<Double> coverage = List.of(0.8, 0.9, 0.95);

  AutoDefaults(Task task) {
    this.task = task;
    loss = task == Task.CLASSIFICATION ? new Logistic() : new SquaredLoss();
  }
}
