// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializer of {@link EvaluatedCell}. Layout 1: instances, loss, instances and loss of the window,
 * instances when last published, and the learner's file (docs/format.md).
 */
public final class EvaluatedCellSerializer extends FormatSerializer<EvaluatedCell> {
  /** The only instance of the newest layout. */
  public static final EvaluatedCellSerializer INSTANCE = new EvaluatedCellSerializer();

  /** Flink's type information. */
  public static final TypeInformation<EvaluatedCell> TYPE = INSTANCE.type(EvaluatedCell.class);

  private static final long serialVersionUID = 1;

  private EvaluatedCellSerializer() {
    super(1);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  /** Costs writing the file; it is read again when an example comes. */
  @Override
  public EvaluatedCell copy(EvaluatedCell from) {
    return from.copy();
  }

  @Override
  public void serialize(EvaluatedCell value, DataOutputView out) throws IOException {
    value.tally().write(out);
    out.writeLong(value.published());
    Wire.bytes(value.file(), out);
  }

  @Override
  public EvaluatedCell deserialize(DataInputView in) throws IOException {
    Tally tally = Tally.read(in);
    long published = in.readLong();
    if (published < 0 || published > tally.instances()) {
      throw new IOException("a cell was published after more instances than it has learned from");
    }
    return new EvaluatedCell(Wire.bytes(in), tally, published);
  }

  @Override
  public TypeSerializerSnapshot<EvaluatedCell> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Snapshot that holds the number of the layout. */
  public static final class Snapshot extends FormatSnapshot<EvaluatedCell> {
    /** Called by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
