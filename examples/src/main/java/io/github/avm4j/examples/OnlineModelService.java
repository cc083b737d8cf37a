// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.examples;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A bean as Spring Boot, Micronaut or Quarkus would hold it: one instance, many threads that ask,
 * some that teach. In Spring it would carry {@code @Service}, get the path by {@code @Value}, and
 * {@link #close} would be called at shutdown; no framework is needed to compile it.
 *
 * <p>Threads that ask share an immutable model and never wait. Threads that teach take turns.
 */
public final class OnlineModelService implements AutoCloseable {
  private static final int REFRESH = 100;

  private final Path file;
  private final Learner learner;
  private volatile Model model;

  /** Goes on from the file if it is there. */
  public OnlineModelService(Path file) throws IOException {
    this.file = file;
    this.learner = Files.exists(file) ? Avm.loadLearner(file) : Avm.classifier().build();
    this.model = learner.snapshot();
  }

  /** The label for x; NaN before anything was learned. */
  public double predict(double[] x) {
    return model.predict(FeatureVector.dense(x));
  }

  /** Learns; those who ask see it after at most a hundred instances. */
  public synchronized void learn(double[] x, double label) {
    learner.learn(x, label);
    if (learner.instances() % REFRESH == 0) {
      model = learner.snapshot();
    }
  }

  /** Keeps what was learned. */
  @Override
  public synchronized void close() throws IOException {
    Avm.save(learner, file);
  }
}
