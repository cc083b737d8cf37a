// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.internal.firstorder.FirstOrder;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.firstorder.IterateAverage;
import io.github.avm4j.internal.newton.Engine;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Learners as bytes: a model's file and one LEARNER section more. A learner that was written and
 * read goes on as if it had never stopped, bit for bit, on the same platform and SIMD provider.
 *
 * <p>Reading trusts as little as {@link ModelFormat} does and allocates at most 32·n bytes and 64
 * kB for a file of n bytes.
 */
public final class LearnerFormat {
  /** Counters far below overflow: at a million a second this takes 146,000 years. */
  private static final long LARGEST_COUNT = 1L << 62;

  /** No solver lets its factor fall so low; what is divided by it stays finite. */
  private static final double SMALLEST_SHRINK = 0x1p-300;

  private LearnerFormat() {}

  /** An engine that was read, and the model of its file, which may scale. */
  public record Saved(Engine engine, Model model) {}

  /** An engine as a file's bytes. */
  public static byte[] write(Engine engine) {
    return engine instanceof SecondOrderEngine newton
        ? SecondOrderFormat.write(newton)
        : write((FirstOrderEngine) engine, engine.snapshot());
  }

  /** The paper's learner with a model of it that may scale. */
  public static byte[] write(FirstOrderEngine learner, Model model) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(model));
    payloads.put(Sections.LEARNER, state(learner));
    return Sections.write(payloads);
  }

  private static byte[] state(FirstOrderEngine learner) {
    FirstOrder solver = learner.solver;
    int size = learner.size();
    ByteWriter out = new ByteWriter();
    out.u8(learner.isStarted() ? 1 : 0);
    out.i64(solver.steps());
    out.f64(solver.shrink());
    out.f64(solver.squaredNorm());
    out.i64(learner.absorbed());
    out.i64(learner.refused());
    out.f64(learner.yMax());
    out.i64(learner.random.state());
    for (int c = 0; c < solver.columns(); c++) {
      out.f64s(solver.sums(c), size);
    }
    IterateAverage average = solver.average();
    out.u8(average.windowCount());
    out.i64(average.rung());
    for (int w = 0; w < average.windowCount(); w++) {
      out.f64s(average.window(w), 3);
      for (int c = 0; c < solver.columns(); c++) {
        out.f64s(average.offset(w, c), size);
      }
    }
    return out.toBytes();
  }

  /**
   * The engine in a file.
   *
   * @throws InvalidModelException if it is not a learner's; a model alone cannot go on learning
   */
  public static Saved read(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    Model model = ModelFormat.read(sections);
    return new Saved(read(sections, model), model);
  }

  /**
   * The same engine with each label replaced by its index: 0, 1, 2 … in the order of {@link
   * Engine#label}. It goes on as the other would, bit for bit.
   *
   * @throws InvalidModelException as {@link #read}
   */
  public static Saved readRelabelled(byte[] file) throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(file);
    try {
      Model indexed = ModelFormat.read(sections).relabelled();
      return new Saved(read(sections, indexed), indexed);
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the labels are not valid: " + e.getMessage(), e);
    }
  }

  private static Engine read(Map<Integer, ByteReader> sections, Model model)
      throws InvalidModelException {
    boolean secondOrder = model.config() instanceof SecondOrderConfig;
    if (!sections.containsKey(secondOrder ? Sections.SECOND_ORDER : Sections.LEARNER)) {
      throw new InvalidModelException(
          "the file holds a model alone, and a model cannot go on learning; save the learner"
              + " instead (Avm.save(learner, path)): its file holds the model too");
    }
    return secondOrder ? SecondOrderFormat.read(sections, model) : readPaper(sections, model);
  }

  private static FirstOrderEngine readPaper(Map<Integer, ByteReader> sections, Model model)
      throws InvalidModelException {
    ByteReader in = Sections.require(sections, Sections.LEARNER, "LEARNER");
    boolean started = in.code("started", 2) == 1;
    long steps = count(in, "steps");
    double shrink = in.f64("shrink");
    if (!(shrink >= SMALLEST_SHRINK && shrink <= 1)) {
      throw new InvalidModelException("shrink must be in [2^-300, 1], was " + shrink);
    }
    double squaredNorm = positive(in, "squared norm");
    long absorbed = count(in, "absorbed");
    long refused = count(in, "refused");
    double yMax = positive(in, "yMax");
    if (steps != model.provenance().instances()) {
      throw new InvalidModelException(
          steps + " steps in a file of " + model.provenance().instances() + " instances");
    }
    if (!started && steps > 0) {
      throw new InvalidModelException("a learner that has not started has no steps");
    }
    FirstOrderEngine learner =
        new FirstOrderEngine((AvmConfig) model.config(), new Labels(), in.i64());
    restore(learner, model, started);
    if (model.size() > 0) {
      learner.solver.reserve(model.size() - 1);
    }
    learner.restore(absorbed, refused, yMax);
    learner.solver.restore(steps, shrink, squaredNorm);
    for (int c = 0; c < model.columns(); c++) {
      fill(in, learner.solver.sums(c), model.size());
    }
    readAverage(in, learner.solver, model.size());
    in.end();
    return learner;
  }

  /** Gives a new learner the labels and core points of its model. */
  public static void restore(ExpansionEngine learner, Model model, boolean started)
      throws InvalidModelException {
    if (!model.levels().isEmpty()) {
      throw new InvalidModelException("cells in the file of a learner that has none");
    }
    if (!started && model.size() > 0) {
      throw new InvalidModelException("a learner that has not started has no core points");
    }
    learner.addClasses(IntStream.range(0, model.classes()).mapToObj(model::label).toList());
    learner.restore(model.coreSet().copy(), started);
  }

  private static void readAverage(ByteReader in, FirstOrder solver, int size)
      throws InvalidModelException {
    IterateAverage average = solver.average();
    int windows = in.u8();
    if (windows != average.windowCount()) {
      throw new InvalidModelException(
          "the output needs " + average.windowCount() + " windows, found " + windows);
    }
    long rung = count(in, "rung");
    if (rung > solver.steps()) {
      throw new InvalidModelException("rung " + rung + " lies beyond step " + solver.steps());
    }
    for (int w = 0; w < windows; w++) {
      double[] scalars = in.f64s("average", 3);
      if (scalars[2] < 0) {
        throw new InvalidModelException("a weight must be >= 0, was " + scalars[2]);
      }
      average.restore(w, scalars, rung);
      for (int c = 0; c < solver.columns(); c++) {
        fill(in, average.offset(w, c), size);
      }
    }
  }

  public static long count(ByteReader in, String name) throws InvalidModelException {
    long value = in.i64();
    if (value < 0 || value > LARGEST_COUNT) {
      throw new InvalidModelException(name + " must be in 0..2^62, was " + value);
    }
    return value;
  }

  public static double positive(ByteReader in, String name) throws InvalidModelException {
    double value = in.f64(name);
    if (value < 0) {
      throw new InvalidModelException(name + " must be >= 0, was " + value);
    }
    return value;
  }

  public static void fill(ByteReader in, double[] target, int n) throws InvalidModelException {
    System.arraycopy(in.f64s("coefficient", n), 0, target, 0, n);
  }
}
