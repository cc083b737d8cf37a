// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Base class of serializers with numbered layouts. They have no state: two of one class and layout
 * are equal, and one serves every thread. Subclasses define how a value is written and read; values
 * are immutable unless {@link #copy} says otherwise.
 *
 * @param <T> what it writes
 */
public abstract class FormatSerializer<T> extends TypeSerializer<T> {
  private static final long serialVersionUID = 1;

  private final int layout;

  /** Writes and reads that layout. */
  FormatSerializer(int layout) {
    this.layout = layout;
  }

  /** The number of the layout that it writes and reads. */
  int layout() {
    return layout;
  }

  /** The same for an earlier layout, from 1 on; only those that have several are asked. */
  FormatSerializer<T> inLayout(int earlier) {
    throw new IllegalStateException(getClass().getSimpleName() + " has no layout " + earlier);
  }

  /**
   * {@return the type's description for Flink, so that nothing falls back to Kryo}
   *
   * @param valueClass the class that is serialized
   */
  public TypeInformation<T> type(Class<T> valueClass) {
    return new FormatType<>(valueClass, this);
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public TypeSerializer<T> duplicate() {
    return this;
  }

  /** None: Flink asks for instances to reuse, and nothing here reuses any. */
  @Override
  public @Nullable T createInstance() {
    return null;
  }

  @Override
  public T copy(T from) {
    return from;
  }

  @Override
  public T copy(T from, T reuse) {
    return copy(from);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public T deserialize(T reuse, DataInputView in) throws IOException {
    return deserialize(in);
  }

  @Override
  public void copy(DataInputView in, DataOutputView out) throws IOException {
    serialize(deserialize(in), out);
  }

  // One class, one format: a subclass is another format.
  @SuppressWarnings("EqualsGetClass")
  @Override
  public boolean equals(@Nullable Object other) {
    return other != null
        && other.getClass() == getClass()
        && ((FormatSerializer<?>) other).layout == layout;
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass().getName(), layout);
  }
}
