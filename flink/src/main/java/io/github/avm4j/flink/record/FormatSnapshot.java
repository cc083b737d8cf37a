// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Snapshot of a {@link FormatSerializer} in a checkpoint or savepoint: the number of the layout its
 * values were written in. A newer avm4j reads every older layout; an older one refuses a newer and
 * says so. Savepoints hold the class names of subclasses: a subclass that is renamed or moved
 * leaves one under the old name, as {@link PupilSerializer} does.
 *
 * @param <T> what the serializer writes
 */
public abstract class FormatSnapshot<T> implements TypeSerializerSnapshot<T> {
  private final FormatSerializer<T> serializer;
  private final int newest;
  private int written;

  /** Of a serializer of the newest layout. */
  FormatSnapshot(FormatSerializer<T> serializer) {
    this.serializer = serializer;
    this.newest = serializer.layout();
    this.written = newest;
  }

  /** This snapshot, for values of that layout. */
  FormatSnapshot<T> of(int layout) {
    written = layout;
    return this;
  }

  @Override
  public int getCurrentVersion() {
    return 1;
  }

  @Override
  public void writeSnapshot(DataOutputView out) throws IOException {
    out.writeInt(written);
  }

  @Override
  public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
    if (version != 1) {
      throw new IOException(
          "the state was written by a newer avm4j (snapshot version " + version + "); upgrade");
    }
    written = in.readInt();
  }

  @Override
  public TypeSerializer<T> restoreSerializer() {
    if (written < 1 || written > newest) {
      throw new IllegalStateException(
          "layout "
              + written
              + " of "
              + serializer.getClass().getSimpleName()
              + " is not among 1.."
              + newest
              + "; upgrade avm4j to read this state");
    }
    return written == newest ? serializer : serializer.inLayout(written);
  }

  @Override
  public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
      TypeSerializerSnapshot<T> old) {
    if (!(old instanceof FormatSnapshot<T> other)
        || other.serializer.getClass() != serializer.getClass()) {
      return TypeSerializerSchemaCompatibility.incompatible();
    }
    int before = other.written;
    if (before == written) {
      return TypeSerializerSchemaCompatibility.compatibleAsIs();
    }
    return before >= 1 && before < written
        ? TypeSerializerSchemaCompatibility.compatibleAfterMigration()
        : TypeSerializerSchemaCompatibility.incompatible();
  }
}
