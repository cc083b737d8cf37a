// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.Learner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A program of its own: learns LIBSVM text from standard input, one row at a time. */
final class SpamInSmallHeap {
  private static final double ROWS = 9324;

  private SpamInSmallHeap() {}

  public static void main(String[] arguments) throws IOException {
    Learner learner = Avm.paperClassifier().gamma(0.01).delta(20).lambda(16 / ROWS).build();
    int mistakes = 0;
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Instance row = RealData.libsvmRow(line);
      mistakes += learner.predict(row.x()) == row.y() ? 0 : 1;
      learner.learn(row.x(), row.y());
    }
    System.out.printf(
        "spam in %d MB: %d rows, %d features, %d core points, mistakes %.4f%n",
        Runtime.getRuntime().maxMemory() >> 20,
        learner.instances(),
        learner.snapshot().dimension(),
        learner.size(),
        mistakes / (double) learner.instances());
    if (learner.instances() < ROWS || learner.snapshot().dimension() < 39_000) {
      System.exit(2);
    }
  }
}
