// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.InstancesFormat;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.SecondOrderFormat;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.internal.newton.StoredInstances;
import java.util.IdentityHashMap;
import java.util.List;

/** Where the parts of a learner write their state, each itself; a view that several share once. */
final class StateWriter {
  private final ByteWriter out = new ByteWriter();
  private final IdentityHashMap<View, Integer> views = new IdentityHashMap<>();

  byte[] toBytes() {
    return out.toBytes();
  }

  void u8(int value) {
    out.u8(value);
  }

  void flag(boolean value) {
    out.u8(value ? 1 : 0);
  }

  void i32(int value) {
    out.i32(value);
  }

  void i64(long value) {
    out.i64(value);
  }

  void f64(double value) {
    out.f64(value);
  }

  void numbers(double[] values) {
    out.i32(values.length);
    out.f64s(values, values.length);
  }

  /** Bytes with their number. */
  void block(byte[] bytes) {
    out.i32(bytes.length);
    out.raw(bytes);
  }

  void scaling(Scaling scaling) {
    ModelFormat.writeScaling(out, scaling);
  }

  void shape(Shape shape) {
    out.u8((shape.gaussian() ? 1 : 0) + (shape.fixed() ? 2 : 0));
    out.f64(shape.factor());
  }

  void view(View view) {
    Integer place = views.get(view);
    out.i32(place == null ? views.size() : place);
    if (place == null) {
      views.put(view, views.size());
      view.write(this);
    }
  }

  void engine(SecondOrderEngine engine) {
    block(SecondOrderFormat.write(engine));
  }

  void rows(List<StoredInstances.Kept> rows) {
    InstancesFormat.write(out, rows);
  }

  /** The bytes of others, in a format of theirs. */
  ByteWriter bytes() {
    return out;
  }
}
