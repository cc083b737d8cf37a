// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link RoutedExample}. Layout 1: cell, example as {@link ExampleSerializer} writes
 * it. Never in a savepoint.
 */
public final class RoutedExampleSerializer extends FormatSerializer<RoutedExample> {
  /** The only instance of the newest layout. */
  public static final RoutedExampleSerializer INSTANCE = new RoutedExampleSerializer();

  /** Flink's type information. */
  public static final TypeInformation<RoutedExample> TYPE = INSTANCE.type(RoutedExample.class);

  private static final long serialVersionUID = 1;

  private RoutedExampleSerializer() {
    super(1);
  }

  @Override
  public void serialize(RoutedExample value, DataOutputView out) throws IOException {
    out.writeInt(value.cell());
    ExampleSerializer.INSTANCE.serialize(value.example(), out);
  }

  @Override
  public RoutedExample deserialize(DataInputView in) throws IOException {
    return new RoutedExample(in.readInt(), ExampleSerializer.INSTANCE.deserialize(in));
  }

  @Override
  public TypeSerializerSnapshot<RoutedExample> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<RoutedExample> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
