// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import java.io.IOException;
import java.util.Locale;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * A model that is written and waits for its checkpoint.
 *
 * @param hidden its file until then
 * @param name the model's
 * @param version the model's
 */
public record PendingModel(String hidden, String name, long version) {

  /** Its file from then on. */
  String file() {
    return String.format(Locale.ROOT, "%s-%06d.avm", name, version);
  }

  /** Version 1: hidden, name, version. */
  static final class Format implements SimpleVersionedSerializer<PendingModel> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(PendingModel pending) throws IOException {
      DataOutputSerializer out = new DataOutputSerializer(128);
      out.writeUTF(pending.hidden);
      out.writeUTF(pending.name);
      out.writeLong(pending.version);
      return out.getCopyOfBuffer();
    }

    @Override
    public PendingModel deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1) {
        throw new IOException("pending models of version " + version + "; upgrade avm4j");
      }
      DataInputDeserializer in = new DataInputDeserializer(bytes);
      return new PendingModel(in.readUTF(), in.readUTF(), in.readLong());
    }
  }
}
