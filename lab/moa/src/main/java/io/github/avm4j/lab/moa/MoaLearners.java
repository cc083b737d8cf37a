// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import io.github.avm4j.config.Task;
import io.github.avm4j.lab.baselines.LearnerProvider;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.learner.OnlineLearner;
import java.util.List;
import java.util.function.Supplier;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.lazy.SAMkNN;
import moa.classifiers.meta.AdaptiveRandomForest;
import moa.classifiers.meta.AdaptiveRandomForestRegressor;
import moa.classifiers.meta.LeveragingBag;
import moa.classifiers.meta.OzaBagAdwin;
import moa.classifiers.meta.SelfOptimisingKNearestLeaves;
import moa.classifiers.meta.StreamingGradientBoostedTrees;
import moa.classifiers.meta.StreamingRandomPatches;
import moa.classifiers.trees.EFDT;
import moa.classifiers.trees.FIMTDD;
import moa.classifiers.trees.HoeffdingAdaptiveTree;
import moa.core.Globals;

/**
 * MOA's learners with MOA's default settings. To add one, add a line to {@link #ALL}.
 *
 * @since 0.1.0
 */
public final class MoaLearners implements LearnerProvider {

  private record Entry(
      String name, String title, Task task, Input input, Supplier<AbstractClassifier> maker) {}

  private static final Task C = Task.CLASSIFICATION;
  private static final Task R = Task.REGRESSION;
  private static final Input A = Input.ATTRIBUTES;

  /** From the fastest to the slowest. SAMkNN measures distances and does not scale features. */
  private static final List<Entry> ALL =
      List.of(
          new Entry("moa-hat", "HoeffdingAdaptiveTree", C, A, HoeffdingAdaptiveTree::new),
          new Entry("moa-efdt", "EFDT", C, A, EFDT::new),
          new Entry("moa-ozabag", "OzaBagAdwin", C, A, OzaBagAdwin::new),
          new Entry("moa-levbag", "LeveragingBag", C, A, LeveragingBag::new),
          new Entry("moa-samknn", "SAMkNN", C, Input.SCALED, SAMkNN::new),
          new Entry("moa-arf", "AdaptiveRandomForest", C, A, AdaptiveRandomForest::new),
          new Entry("moa-sgbt", "SGBT", C, A, StreamingGradientBoostedTrees::new),
          new Entry("moa-srp", "StreamingRandomPatches", C, A, StreamingRandomPatches::new),
          new Entry("moa-fimtdd", "FIMT-DD", R, A, FIMTDD::new),
          new Entry("moa-arf-reg", "ARF-Reg", R, A, AdaptiveRandomForestRegressor::new),
          new Entry("moa-soknl", "SOKNL", R, A, SelfOptimisingKNearestLeaves::new));

  private record Intervals(String name, String base, boolean adaptive) {}

  /** Around the predictions of our default learner, and of MOA's default, SOKNL. */
  private static final List<Intervals> INTERVALS =
      List.of(
          new Intervals("moa-adapi-avm", "avm4j.AvmRegressor", true),
          new Intervals("moa-mve-avm", "avm4j.AvmRegressor", false),
          new Intervals("moa-mve", "", false),
          new Intervals("moa-adapi", "", true));

  /** Called by {@link java.util.ServiceLoader}. */
  public MoaLearners() {}

  @Override
  public String library() {
    // The constant of the version would be the one that was compiled against.
    return Globals.getWorkbenchInfoString()
        .lines()
        .filter(line -> line.startsWith("Version:"))
        .map(line -> "MOA " + line.substring("Version:".length()).strip())
        .findFirst()
        .orElse("MOA");
  }

  @Override
  public List<String> names(Task task) {
    return ALL.stream().filter(entry -> entry.task == task).map(Entry::name).toList();
  }

  private static Entry entry(String name) {
    return ALL.stream()
        .filter(entry -> entry.name.equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("MOA's learners have no '" + name + "' here"));
  }

  @Override
  public String title(String name) {
    return entry(name).title;
  }

  @Override
  public Input input(String name) {
    return entry(name).input;
  }

  @Override
  public OnlineLearner create(String name, StreamHeader header, long seed) {
    Entry entry = entry(name);
    if (entry.task != header.task()) {
      throw new IllegalArgumentException(name + " does not learn " + header.task());
    }
    return new MoaLearner(entry.maker.get(), header, seed);
  }

  @Override
  public List<String> intervalNames() {
    return INTERVALS.stream().map(Intervals::name).toList();
  }

  @Override
  public OnlineLearner createIntervals(String name, StreamHeader header, double level, long seed) {
    Intervals found =
        INTERVALS.stream()
            .filter(one -> one.name.equals(name))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("MOA's intervals have no '" + name + "' here"));
    return new MoaIntervals(found.adaptive, found.base, header, level, seed);
  }
}
