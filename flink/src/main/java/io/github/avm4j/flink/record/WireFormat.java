// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * How values of one class are written and read, in state and between operators. There is one object
 * per class, all of them in {@link Formats}, and one serves every thread. Snapshots and serialized
 * jobs hold its name alone.
 *
 * @param <T> what it writes
 */
public final class WireFormat<T> extends TypeSerializer<T> {
  private static final long serialVersionUID = 1;

  private final String name;
  private final transient FormatType<T> type;
  private final transient boolean mutable;
  private final transient Writer<T> writer;
  private final transient Reader<T> reader;

  /** Writes a value. */
  interface Writer<T> {
    void write(T value, DataOutputView out) throws IOException;
  }

  /** Reads a value. */
  interface Reader<T> {
    T read(DataInputView in) throws IOException;
  }

  WireFormat(Class<T> valueClass, boolean mutable, Writer<T> writer, Reader<T> reader) {
    this.name = valueClass.getSimpleName();
    this.type = new FormatType<>(valueClass, this);
    this.mutable = mutable;
    this.writer = writer;
    this.reader = reader;
  }

  /** The object of this name: writers and readers are not sent. */
  private Object readResolve() throws IOException {
    return Formats.named(name);
  }

  /** The name of the class. */
  String name() {
    return name;
  }

  /** {@return the type's description for Flink, so that nothing falls back to Kryo} */
  public TypeInformation<T> type() {
    return type;
  }

  @Override
  public void serialize(T value, DataOutputView out) throws IOException {
    writer.write(value, out);
  }

  @Override
  public T deserialize(DataInputView in) throws IOException {
    return reader.read(in);
  }

  @Override
  public T deserialize(T reuse, DataInputView in) throws IOException {
    return reader.read(in);
  }

  @Override
  public boolean isImmutableType() {
    return !mutable;
  }

  /**
   * Costs writing and reading if values are mutable. Flink copies the learner of a stream once per
   * checkpoint; a key in heap state on its first access after a checkpoint began.
   */
  @Override
  public T copy(T from) {
    if (!mutable) {
      return from;
    }
    try {
      DataOutputSerializer out = new DataOutputSerializer(1024);
      serialize(from, out);
      return deserialize(new DataInputDeserializer(out.getSharedBuffer(), 0, out.length()));
    } catch (IOException e) {
      throw new UncheckedIOException("a value cannot be read as it was written: a defect", e);
    }
  }

  @Override
  public T copy(T from, T reuse) {
    return copy(from);
  }

  @Override
  public void copy(DataInputView in, DataOutputView out) throws IOException {
    serialize(deserialize(in), out);
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
  public int getLength() {
    return -1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WireFormat<?> format && format.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    return new Snapshot<>(this);
  }

  /**
   * What a checkpoint or savepoint says of a format: its name.
   *
   * @param <T> what the format writes
   */
  public static final class Snapshot<T> implements TypeSerializerSnapshot<T> {
    private @Nullable WireFormat<T> format;

    /** Called by Flink, before it reads. */
    public Snapshot() {}

    private Snapshot(WireFormat<T> format) {
      this.format = format;
    }

    private WireFormat<T> format() {
      if (format == null) {
        throw new IllegalStateException("not read");
      }
      return format;
    }

    @Override
    public int getCurrentVersion() {
      return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.writeUTF(format().name);
    }

    @SuppressWarnings("unchecked") // a name has one class
    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
      if (version != 1) {
        throw new IOException("the state has version " + version + "; upgrade avm4j to read it");
      }
      format = (WireFormat<T>) Formats.named(in.readUTF());
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
      return format();
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
        TypeSerializerSnapshot<T> old) {
      return old instanceof Snapshot<T> other && other.format().equals(format())
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
