// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import io.github.avm4j.detector.AnomalyExplanation.Feature;
import io.github.avm4j.detector.AnomalyExplanation.Neighbour;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.anomaly.CoreSample;
import io.github.avm4j.internal.anomaly.DetectorEngine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a score is due to. A feature's contribution is the score less the score by distances without
 * that feature; its expected value is the mean over core points weighted by their similarity in the
 * other features. O(S·d).
 */
final class Attribution {
  private final DetectorEngine engine;
  private final CoreSample sample;
  private final double[] z;
  private final double[] squared;

  private Attribution(DetectorEngine engine, CoreSample sample, double[] z) {
    this.engine = engine;
    this.sample = sample;
    this.z = z;
    squared = new double[sample.size()];
    for (int i = 0; i < squared.length; i++) {
      for (int j = 0; j < z.length; j++) {
        squared[i] += part(i, j);
      }
    }
  }

  static AnomalyExplanation of(DetectorEngine engine, FeatureVector x, int most) {
    if (most < 0) {
      throw new IllegalArgumentException("most must be >= 0, was " + most);
    }
    double pValue = engine.pValue(x);
    double score = engine.lastScore();
    double[] z = engine.scaled(x).clone();
    CoreSample sample = engine.sample();
    if (sample == null || sample.size() == 0) {
      return new AnomalyExplanation(score, pValue, List.of(), List.of());
    }
    Attribution attribution = new Attribution(engine, sample, z);
    return new AnomalyExplanation(
        score, pValue, attribution.features(x, most), attribution.neighbours(most));
  }

  private double part(int i, int j) {
    double difference = z[j] - sample.coordinate(i, j);
    return difference * difference;
  }

  private List<Feature> features(FeatureVector x, int most) {
    double whole = score(squared.clone());
    double[] contributions = new double[z.length];
    double sum = 0;
    for (int j = 0; j < z.length; j++) {
      contributions[j] = Math.max(0, whole - score(without(j)));
      sum += contributions[j];
    }
    List<Feature> features = new ArrayList<>();
    List<Integer> largest =
        IntStream.range(0, z.length)
            .boxed()
            .sorted(Comparator.comparingDouble(j -> -contributions[j]))
            .limit(most)
            .toList();
    for (int j : largest) {
      double share = sum > 0 ? contributions[j] / sum : 0;
      features.add(new Feature(j, x.get(j), expected(j), contributions[j], share));
    }
    return features;
  }

  private double score(double[] distances) {
    engine.reserve(distances.length);
    return engine.softDistance(sample, distances);
  }

  private double[] without(int j) {
    double[] rest = new double[squared.length];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = Math.max(0, squared[i] - part(i, j));
    }
    return rest;
  }

  private double expected(int j) {
    double[] rest = without(j);
    double nearest = Double.POSITIVE_INFINITY;
    for (double distance : rest) {
      nearest = Math.min(nearest, Math.sqrt(distance));
    }
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < rest.length; i++) {
      double weight = Math.exp(-engine.detail() * (Math.sqrt(rest[i]) - nearest));
      // A running mean: sums of large values would overflow.
      weights += weight;
      sum += (sample.value(i, j) - sum) * (weight / weights);
    }
    return sum;
  }

  private List<Neighbour> neighbours(int most) {
    return IntStream.range(0, squared.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> squared[i]))
        .limit(most)
        .map(i -> new Neighbour(i, point(i), similarity(i)))
        .toList();
  }

  private double similarity(int i) {
    return Math.exp(-engine.detail() * Math.sqrt(squared[i]));
  }

  private FeatureVector point(int i) {
    double[] values = new double[z.length];
    for (int j = 0; j < values.length; j++) {
      values[j] = sample.value(i, j);
    }
    return FeatureVector.dense(values);
  }
}
