// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Layout 1: id, key, answer, label, version, time. */
public final class AnswerSerializer extends FormatSerializer<Answer> {
  /** The one there is. */
  public static final AnswerSerializer INSTANCE = new AnswerSerializer();

  /** The type. */
  public static final TypeInformation<Answer> TYPE = INSTANCE.type(Answer.class);

  private static final long serialVersionUID = 1;

  private AnswerSerializer() {
    super(1);
  }

  @Override
  public void serialize(Answer value, DataOutputView out) throws IOException {
    Wire.text(value.id(), out);
    Wire.text(value.key(), out);
    out.writeDouble(value.answer());
    out.writeDouble(value.label());
    out.writeLong(value.version());
    out.writeLong(value.time());
  }

  @Override
  public Answer deserialize(DataInputView in) throws IOException {
    return new Answer(
        Wire.text(in),
        Wire.text(in),
        in.readDouble(),
        in.readDouble(),
        in.readLong(),
        in.readLong());
  }

  @Override
  public TypeSerializerSnapshot<Answer> snapshotConfiguration() {
    return new Snapshot().of(layout());
  }

  /** Remembers the layout. */
  public static final class Snapshot extends FormatSnapshot<Answer> {
    /** Made by Flink. */
    public Snapshot() {
      super(INSTANCE);
    }
  }
}
