// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package moa.classifiers.avm4j;

import com.github.javacliparser.FloatOption;
import com.github.javacliparser.IntOption;
import com.github.javacliparser.MultiChoiceOption;
import com.yahoo.labs.samoa.instances.Instance;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import moa.capabilities.Capability;
import moa.capabilities.ImmutableCapabilities;
import moa.classifiers.AbstractClassifier;
import moa.core.Measurement;
import moa.core.StringUtils;
import org.jspecify.annotations.Nullable;

/**
 * What the classifier and the regressor share: options, encoding, measurements, and copies by
 * avm4j's own file format inside MOA's serialization.
 *
 * @since 0.1.0
 */
public abstract class AbstractAvm extends AbstractClassifier {
  private static final long serialVersionUID = 1;

  private static final int PAPER = 1;

  /** Which learner. */
  public final MultiChoiceOption modeOption =
      new MultiChoiceOption(
          "mode",
          'm',
          "The learner.",
          new String[] {"Default", "Paper"},
          new String[] {
            "Second-order; finds scaling and gamma on its first instances.",
            "The paper's first-order learner; needs gamma, delta and lambda."
          },
          0);

  /** Most core points. */
  public final IntOption budgetOption =
      new IntOption(
          "budget",
          'b',
          "Most core points; in paper mode 0 is no limit but the coverage's own.",
          AutoConfig.of(Task.CLASSIFICATION).budget(),
          0,
          10_000);

  /** Most cells. */
  public final IntOption cellsOption =
      new IntOption(
          "cells",
          'f',
          "Default mode: most cells that the input space is divided into; 0 leaves it whole.",
          AutoConfig.of(Task.CLASSIFICATION).cells(),
          0,
          AutoConfig.MAX_CELLS);

  /** γ of the Gaussian kernel. */
  public final FloatOption gammaOption =
      new FloatOption(
          "gamma",
          'g',
          "Gamma of exp(-gamma |x-y|^2); 0 finds it, in default mode only.",
          0,
          0,
          Double.MAX_VALUE);

  /** λ of the regulariser. */
  public final FloatOption lambdaOption =
      new FloatOption(
          "lambda", 'l', "Weight of the regulariser.", 0.01, Double.MIN_VALUE, Double.MAX_VALUE);

  /** δ of the paper's coverage. */
  public final FloatOption deltaOption =
      new FloatOption(
          "delta",
          'd',
          "Paper mode: diameter of a cell of the coverage.",
          1,
          Double.MIN_VALUE,
          Double.MAX_VALUE);

  /** Length of the estimation period. */
  public final IntOption estimationOption =
      new IntOption(
          "estimation",
          'e',
          "Default mode: number of first instances that scaling and gamma are found on.",
          1000,
          1,
          100_000);

  private transient @Nullable Learner learner;
  private InstanceEncoder encoder = new InstanceEncoder();

  AbstractAvm() {}

  /** A learner of the options, for instances like this one. */
  abstract Learner newLearner(Instance first);

  final boolean isPaper() {
    return modeOption.getChosenIndex() == PAPER;
  }

  /** The learner, once an instance was seen. */
  final @Nullable Learner learner() {
    return learner;
  }

  final FeatureVector encode(Instance instance) {
    return encoder.encode(instance);
  }

  /** MOA's window begins with its short view, which lists only learners that ask for it. */
  @Override
  public ImmutableCapabilities defineImmutableCapabilities() {
    return new ImmutableCapabilities(Capability.VIEW_STANDARD, Capability.VIEW_LITE);
  }

  @Override
  public final void resetLearningImpl() {
    learner = null;
    encoder = new InstanceEncoder();
  }

  /** Learns; MOA hands on no instance that has no class or no weight. */
  @Override
  public final void trainOnInstanceImpl(Instance instance) {
    Learner mine = learner;
    if (mine == null) {
      mine = newLearner(instance);
      learner = mine;
    }
    FeatureVector x = encoder.encode(instance);
    mine.learn(x, instance.classValue(), instance.weight());
    encoder.learn(instance);
  }

  @Override
  protected final Measurement[] getModelMeasurementsImpl() {
    List<Measurement> all = new ArrayList<>();
    Learner mine = learner;
    all.add(new Measurement("core points", mine == null ? 0 : mine.size()));
    all.add(new Measurement("instances learned from", mine == null ? 0 : mine.instances()));
    all.add(new Measurement("absorbed when full", mine == null ? 0 : mine.absorbed()));
    all.add(new Measurement("gamma", mine == null ? 0 : mine.config().kernel().gamma()));
    boolean estimating = mine instanceof AutoLearner auto && auto.isEstimating();
    all.add(new Measurement("estimating", estimating ? 1 : 0));
    return all.toArray(new Measurement[0]);
  }

  @Override
  public final void getModelDescription(StringBuilder out, int indent) {
    LearnerConfig config = learner == null ? null : learner.config();
    StringUtils.appendIndented(out, indent, config == null ? "nothing learned yet" : config + "");
    StringUtils.appendNewline(out);
  }

  @Override
  public final boolean isRandomizable() {
    return false;
  }

  /** MOA copies and saves learners by serialization: the learner goes as its own file format. */
  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    byte[] bytes = learner == null ? new byte[0] : learner.toBytes();
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != length) {
      throw new IOException("a learner of " + length + " bytes ends after " + bytes.length);
    }
    try {
      learner = length == 0 ? null : Learner.fromBytes(bytes);
    } catch (InvalidModelException e) {
      throw new IOException("the saved learner is damaged: " + e.getMessage(), e);
    }
  }
}
