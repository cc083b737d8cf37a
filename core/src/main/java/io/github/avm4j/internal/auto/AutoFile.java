// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.ConfigFormat;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The file of an {@link AutoEngine}: the sections of its model, so that it can be read as one, and
 * the section STATE with its settings, labels and all its parts. Each part has its own {@code
 * write} and {@code read} ({@link StateWriter}, {@link StateReader}).
 */
public final class AutoFile {
  private static final List<KernelChoice> KERNELS =
      List.of(KernelChoice.AUTOMATIC, KernelChoice.GAUSSIAN);

  private static final List<ScalingMode> MODES =
      List.of(ScalingMode.AUTOMATIC, ScalingMode.NONE, ScalingMode.STANDARD, ScalingMode.MIN_MAX);

  private AutoFile() {}

  /** All that an engine needs to go on. */
  public static byte[] write(AutoEngine engine) {
    Map<Integer, byte[]> payloads = new TreeMap<>(ModelFormat.payloads(engine.snapshot()));
    StateWriter out = new StateWriter();
    writeSetup(out, engine.setup());
    engine.write(out);
    payloads.put(Sections.STATE, out.toBytes());
    return Sections.write(payloads);
  }

  /** Whether sections are of such a file. */
  public static boolean isOne(Map<Integer, ByteReader> sections) {
    return sections.containsKey(Sections.STATE);
  }

  /**
   * The engine in a file.
   *
   * @param indexed whether its labels are to be 0, 1, 2 … instead, in the order of {@link
   *     AutoEngine#label}
   */
  public static AutoEngine read(Map<Integer, ByteReader> sections, boolean indexed)
      throws InvalidModelException {
    Model model = ModelFormat.read(sections);
    ByteReader in = Sections.require(sections, Sections.STATE, "STATE");
    try {
      Setup setup = readSetup(in, model, indexed);
      AutoEngine engine =
          AutoEngine.read(new StateReader(in, setup), indexed ? model.relabelled() : model);
      in.end();
      requireSame(engine, model);
      return engine;
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("the state is not valid: " + e.getMessage(), e);
    }
  }

  private static void requireSame(AutoEngine engine, Model model) throws InvalidModelException {
    if (engine.task() != model.task() || engine.classes() != model.classes()) {
      throw new InvalidModelException("the model of the file is not that of its state");
    }
  }

  private static void writeSetup(StateWriter out, Setup setup) {
    AutoConfig config = setup.config();
    SecondOrderConfig engine = setup.door().config();
    out.block(ConfigFormat.write(engine));
    out.f64(config.gamma());
    out.f64(config.forgetting());
    out.i64(config.memory());
    out.u8(KERNELS.indexOf(config.kernel()));
    out.u8(MODES.indexOf(config.scaling()));
    out.i32(config.estimation());
    out.i32(config.cells());
    out.numbers(setup.labels().toArray());
    out.flag(setup.door().isStarted());
  }

  private static Setup readSetup(ByteReader in, Model model, boolean indexed)
      throws InvalidModelException {
    byte[] bytes = in.raw(in.count("bytes of settings", 1));
    if (!(ConfigFormat.read(new ByteReader(bytes, 0, bytes.length, "settings"))
        instanceof SecondOrderConfig found)) {
      throw new InvalidModelException("the settings are not of the default learner");
    }
    AutoConfig config =
        new AutoConfig(
            found.task(),
            found.loss(),
            KernelChoice.AUTOMATIC,
            in.f64("gamma"),
            found.lambda(),
            found.skip(),
            found.novelty(),
            in.f64("forgetting"),
            found.budget(),
            0,
            in.i64(),
            ScalingMode.AUTOMATIC,
            1,
            found.features(),
            List.of(),
            model.calibration().levels());
    config =
        config.toBuilder()
            .kernel(KERNELS.get(in.code("kernels", KERNELS.size())))
            .scaling(MODES.get(in.code("scaling mode", MODES.size())))
            .estimation(in.i32())
            .cells(in.i32())
            .build();
    double[] labels = in.f64s("label", in.count("labels", 8));
    int declared = found.labels().size();
    for (int c = 0; c < labels.length && indexed; c++) {
      labels[c] = c;
    }
    List<Double> known = new ArrayList<>();
    for (int c = 0; c < declared; c++) {
      known.add(c < labels.length ? labels[c] : Double.NaN);
    }
    double[] first = known.stream().mapToDouble(label -> label).toArray();
    Setup setup = new Setup(config.toBuilder().labels(first).build());
    Set<Double> different = new HashSet<>(known);
    List<Double> more = new ArrayList<>();
    for (int c = declared; c < labels.length; c++) {
      more.add(labels[c] + 0.0);
      if (!different.add(labels[c] + 0.0)) {
        throw new InvalidModelException("two classes have the label " + labels[c]);
      }
    }
    if (!more.isEmpty()) {
      setup.door().addClasses(more);
    }
    boolean started = in.code("started", 2) == 1;
    if (started) {
      boolean grows = model.isOpenEnded();
      int features = grows ? config.features() : model.dimension();
      setup.door().restore(grows ? CoreSet.sparse(features) : CoreSet.dense(features), true);
    }
    return setup;
  }
}
