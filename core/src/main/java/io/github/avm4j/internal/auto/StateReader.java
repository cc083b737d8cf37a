// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.format.InstancesFormat;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.SecondOrderFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where the parts of a learner read what they wrote to a {@link StateWriter}. The bytes are hostile
 * until checked: rows, engines and views must be such as this learner could have made.
 */
final class StateReader {
  /** A smaller one has no inverse, and none that a learner finds is so small. */
  private static final double SMALLEST = 1e-290;

  private final ByteReader in;
  private final Setup setup;
  private final List<View> views = new ArrayList<>();

  StateReader(ByteReader in, Setup setup) {
    this.in = in;
    this.setup = setup;
  }

  Setup setup() {
    return setup;
  }

  int code(String name, int codes) throws InvalidModelException {
    return in.code(name, codes);
  }

  boolean flag(String name) throws InvalidModelException {
    return in.code(name, 2) == 1;
  }

  int i32() throws InvalidModelException {
    return in.i32();
  }

  long count(String name) throws InvalidModelException {
    return LearnerFormat.count(in, name);
  }

  double f64(String name) throws InvalidModelException {
    return in.f64(name);
  }

  /** A number ≥ 0. */
  double positive(String name) throws InvalidModelException {
    return LearnerFormat.positive(in, name);
  }

  double[] numbers(String name) throws InvalidModelException {
    return in.f64s(name, in.count(name, 8));
  }

  byte[] block(String name) throws InvalidModelException {
    return in.raw(in.count("bytes of " + name, 1));
  }

  ByteReader bytes() {
    return in;
  }

  Scaling scaling() throws InvalidModelException {
    return ModelFormat.readScaling(in);
  }

  Shape shape() throws InvalidModelException {
    int kind = in.code("shape", 4);
    double factor = in.f64("factor of a kernel");
    if (!(factor >= SMALLEST)) {
      throw new InvalidModelException("a kernel's factor must be positive, was " + factor);
    }
    return new Shape(kind % 2 == 1, factor, kind >= 2);
  }

  View view() throws InvalidModelException {
    int place = in.i32();
    if (place < 0 || place > views.size()) {
      throw new InvalidModelException("view " + place + " of " + views.size());
    }
    if (place == views.size()) {
      views.add(View.read(this));
    }
    return views.get(place);
  }

  /** An engine of this stream, whose classes are indices of the learner's. */
  SecondOrderEngine engine() throws InvalidModelException {
    Map<Integer, ByteReader> sections = Sections.read(block("an engine"));
    Model model = ModelFormat.read(sections);
    if (!(model.config() instanceof SecondOrderConfig) || !model.scaling().isIdentity()) {
      throw new InvalidModelException("an engine within is not of the second order");
    }
    SecondOrderEngine engine = SecondOrderFormat.read(sections, model);
    CoreSet own = engine.set();
    CoreSet like = setup.door().set();
    boolean fits =
        engine.task() == setup.task()
            && engine.isStarted() == setup.door().isStarted()
            && own.isOpenEnded() == like.isOpenEnded()
            && (own.isOpenEnded() || own.dimension() == like.dimension());
    for (int c = 0; c < engine.classes(); c++) {
      fits &= isClass(engine.label(c));
    }
    if (!fits) {
      throw new InvalidModelException("an engine within is not of the same stream");
    }
    return engine;
  }

  private boolean isClass(double index) {
    return index == Math.rint(index) && index >= 0 && index < setup.labels().size();
  }

  /** An expert that knows all classes, in their order. */
  Expert wholeExpert() throws InvalidModelException {
    Expert expert = Expert.read(this);
    SecondOrderEngine engine = expert.engine();
    boolean all = setup.isRegression() || engine.classes() == setup.labels().size();
    for (int c = 0; c < engine.classes(); c++) {
      all &= engine.label(c) == c;
    }
    if (!all) {
      throw new InvalidModelException("an engine within does not know all classes");
    }
    return expert;
  }

  /** A factor of forgetting. */
  double forgetting() throws InvalidModelException {
    double factor = in.f64("forgetting");
    if (!(factor > 0 && factor <= 1)) {
      throw new InvalidModelException("forgetting must be in (0, 1], was " + factor);
    }
    return factor;
  }

  List<StoredInstances.Kept> rows() throws InvalidModelException {
    CoreSet like = setup.door().set();
    int features = like.isOpenEnded() ? setup.config().features() : like.dimension();
    StoredInstances rows = new StoredInstances();
    InstancesFormat.read(in, setup.task(), features, rows);
    for (StoredInstances.Kept row : rows.list()) {
      if (!setup.isRegression() && !isClass(row.y())) {
        throw new InvalidModelException("a stored row has a class that the learner has not");
      }
    }
    return rows.list();
  }
}
