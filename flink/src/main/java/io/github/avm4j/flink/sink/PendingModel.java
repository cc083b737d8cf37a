// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.flink.record.ModelVersion;
import java.io.IOException;
import java.util.Locale;
import java.util.UUID;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * A model that is written and waits for its checkpoint.
 *
 * @param hidden its file until then
 * @param name the model's
 * @param lineage the line of versions it is of; empty if that is not known
 * @param version the model's
 */
public record PendingModel(String hidden, String name, String lineage, long version) {

  /** Its file from then on. */
  String file() {
    return String.format(Locale.ROOT, "%s-%06d.avm", line(name, lineage), version);
  }

  /** What the files of a line begin with. */
  private static String line(String name, String lineage) {
    return lineage.isEmpty() ? name : name + "-" + lineage;
  }

  /** A model that is about to be written, under a name that no attempt had before. */
  static PendingModel of(ModelVersion model) {
    String line = line(model.name(), model.lineage());
    String hidden =
        String.format(Locale.ROOT, ".%s-%06d-%s.part", line, model.version(), UUID.randomUUID());
    return new PendingModel(hidden, model.name(), model.lineage(), model.version());
  }

  /** Hidden file, name, version, lineage. */
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
      out.writeUTF(pending.lineage);
      return out.getCopyOfBuffer();
    }

    @Override
    public PendingModel deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1) {
        throw new IOException("pending models of version " + version + "; upgrade avm4j");
      }
      DataInputDeserializer in = new DataInputDeserializer(bytes);
      String hidden = in.readUTF();
      String name = in.readUTF();
      long number = in.readLong();
      return new PendingModel(hidden, name, in.readUTF(), number);
    }
  }
}
