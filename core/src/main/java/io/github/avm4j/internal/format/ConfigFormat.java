// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.KernelKind;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import java.util.ArrayList;
import java.util.List;

/**
 * The CONFIG section: the components of the record, in their order. Each choice is one code byte
 * and two doubles, unused ones 0; codes are never reused.
 */
public final class ConfigFormat {
  private static final List<Class<?>> COVERAGES = List.of(Hypersphere.class, Hyperrectangle.class);
  private static final List<Class<?>> APPROXIMATIONS =
      List.of(Always.class, Never.class, Bernoulli.class, Confidence.class);
  private static final List<Class<?>> OUTPUTS =
      List.of(LastIterate.class, UniformAverage.class, SuffixAverage.class, WeightedAverage.class);

  private ConfigFormat() {}

  /** The position in a table is the code in the file: tables only grow at their end. */
  private static int code(List<Class<?>> table, Object choice) {
    int code = table.indexOf(choice.getClass());
    if (code < 0) {
      throw new IllegalStateException(choice + " has no code in the format: add it to its table");
    }
    return code;
  }

  public static byte[] write(LearnerConfig config) {
    return config instanceof AvmConfig paper
        ? writePaper(paper)
        : writeSecondOrder((SecondOrderConfig) config);
  }

  public static LearnerConfig read(ByteReader in) throws InvalidModelException {
    try {
      int code = in.code("learner", 4);
      Task task = code % 2 == 0 ? Task.CLASSIFICATION : Task.REGRESSION;
      LearnerConfig config = code < 2 ? readPaper(task, in) : readSecondOrder(task, in);
      in.end();
      return config;
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the configuration is not valid: " + e.getMessage(), e);
    }
  }

  private static byte[] writeSecondOrder(SecondOrderConfig config) {
    ByteWriter out = new ByteWriter();
    out.u8(config.task() == Task.CLASSIFICATION ? 2 : 3);
    writeKernel(out, config.kernel());
    writeLoss(out, config.loss());
    out.f64(config.lambda());
    out.f64(config.skip());
    out.f64(config.novelty());
    out.f64(config.forgetting());
    out.i32(config.budget());
    out.i64(config.memory());
    out.u8(config.replacing() ? 1 : 0);
    out.i32(config.features());
    writeLabels(out, config.labels());
    return out.toBytes();
  }

  private static LearnerConfig readSecondOrder(Task task, ByteReader in)
      throws InvalidModelException {
    return new SecondOrderConfig(
        task,
        readKernel(in),
        readLoss(in),
        in.f64("lambda"),
        in.f64("skip"),
        in.f64("novelty"),
        in.f64("forgetting"),
        in.i32(),
        in.i64(),
        in.code("replacing", 2) == 1,
        in.i32(),
        readLabels(in));
  }

  private static void writeLabels(ByteWriter out, List<Double> labels) {
    out.i32(labels.size());
    for (double label : labels) {
      out.f64(label);
    }
  }

  private static List<Double> readLabels(ByteReader in) throws InvalidModelException {
    int count = in.count("labels", 8);
    List<Double> labels = new ArrayList<>(count);
    for (int j = 0; j < count; j++) {
      labels.add(in.f64("label"));
    }
    return labels;
  }

  private static byte[] writePaper(AvmConfig config) {
    ByteWriter out = new ByteWriter();
    out.u8(config.task() == Task.CLASSIFICATION ? 0 : 1);
    writeKernel(out, config.kernel());
    writeLoss(out, config.loss());
    out.f64(config.lambda());
    choice(out, code(COVERAGES, config.coverage()), config.coverage().delta(), 0);
    writeApproximation(out, config.approximation());
    writeOutput(out, config.output());
    out.i32(config.budget());
    out.u8(config.whenFull() == WhenFull.ABSORB ? 0 : 1);
    out.f64(config.yMax());
    out.i32(config.features());
    writeLabels(out, config.labels());
    out.i64(config.seed());
    return out.toBytes();
  }

  private static LearnerConfig readPaper(Task task, ByteReader in) throws InvalidModelException {
    return new AvmConfig(
        task,
        readKernel(in),
        readLoss(in),
        in.f64("lambda"),
        readCoverage(in),
        readApproximation(in),
        readOutput(in),
        in.i32(),
        in.code("when full", 2) == 0 ? WhenFull.ABSORB : WhenFull.REFUSE,
        in.f64("yMax"),
        in.i32(),
        readLabels(in),
        in.i64());
  }

  private static void choice(ByteWriter out, int code, double first, double second) {
    out.u8(code);
    out.f64(first);
    out.f64(second);
  }

  private static InvalidModelException unknown(String what, int code) {
    return new InvalidModelException("unknown " + what + " code " + code + " (use a newer avm4j)");
  }

  private static void writeKernel(ByteWriter out, Kernel kernel) {
    KernelKind kind = KernelKind.of(kernel);
    choice(out, kind.code(), kernel.gamma(), kind.shapeOf(kernel));
  }

  private static Kernel readKernel(ByteReader in) throws InvalidModelException {
    int code = in.u8();
    double gamma = in.f64("gamma");
    double shape = in.f64("alpha");
    KernelKind kind = KernelKind.ofCode(code);
    if (kind == null) {
      throw unknown("kernel", code);
    }
    return kind.kernel(gamma, shape);
  }

  private static void writeLoss(ByteWriter out, Loss loss) {
    LossKind kind = LossKind.of(loss);
    choice(out, kind.code(), kind.parameterOf(loss), 0);
  }

  private static Loss readLoss(ByteReader in) throws InvalidModelException {
    int code = in.u8();
    double first = in.f64("loss parameter");
    in.f64("loss parameter");
    LossKind kind = LossKind.ofCode(code);
    if (kind == null) {
      throw unknown("loss", code);
    }
    return kind.loss(first);
  }

  private static Coverage readCoverage(ByteReader in) throws InvalidModelException {
    int code = in.u8();
    double delta = in.f64("delta");
    in.f64("coverage parameter");
    return switch (code) {
      case 0 -> new Hypersphere(delta);
      case 1 -> new Hyperrectangle(delta);
      default -> throw unknown("coverage", code);
    };
  }

  private static void writeApproximation(ByteWriter out, Approximation approximation) {
    boolean random = approximation instanceof Bernoulli;
    double beta = random ? ((Bernoulli) approximation).beta() : 0;
    double rho = random ? ((Bernoulli) approximation).rho() : 0;
    choice(out, code(APPROXIMATIONS, approximation), beta, rho);
  }

  private static Approximation readApproximation(ByteReader in) throws InvalidModelException {
    int code = in.u8();
    double beta = in.f64("beta");
    double rho = in.f64("rho");
    return switch (code) {
      case 0 -> new Always();
      case 1 -> new Never();
      case 2 -> new Bernoulli(beta, rho);
      case 3 -> new Confidence();
      default -> throw unknown("approximation", code);
    };
  }

  private static void writeOutput(ByteWriter out, Output output) {
    out.u8(code(OUTPUTS, output));
    out.f64(output instanceof SuffixAverage suffix ? suffix.alpha() : 0);
    out.i64(output instanceof SuffixAverage suffix ? suffix.horizon() : 0);
  }

  private static Output readOutput(ByteReader in) throws InvalidModelException {
    int code = in.u8();
    double alpha = in.f64("alpha");
    long horizon = in.i64();
    return switch (code) {
      case 0 -> new LastIterate();
      case 1 -> new UniformAverage();
      case 2 -> new SuffixAverage(alpha, horizon);
      case 3 -> new WeightedAverage();
      default -> throw unknown("output", code);
    };
  }
}
