// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.internal.auto.AutoFile;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.internal.newton.Engine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.Map;

/** Learners from the bytes of files. */
final class SavedLearners {
  private SavedLearners() {}

  static Learner read(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    return AutoFile.isOne(sections)
        ? new AutoLearner(AutoFile.read(sections, false))
        : learner(LearnerFormat.read(file));
  }

  static Learner readRelabelled(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    return AutoFile.isOne(sections)
        ? new AutoLearner(AutoFile.read(sections, true))
        : learner(LearnerFormat.readRelabelled(file));
  }

  private static Learner learner(LearnerFormat.Saved saved) throws InvalidModelException {
    Engine engine = saved.engine();
    Model model = saved.model();
    if (!(engine instanceof FirstOrderEngine paper)
        || (model.scaling().isIdentity() && model.intercept() == 0)) {
      return EngineLearner.of(engine);
    }
    try {
      return new ScaledLearner(new KernelLearner(paper), model.scaling(), model.intercept());
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the scaling is not valid: " + e.getMessage(), e);
    }
  }
}
