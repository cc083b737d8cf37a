// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.ExampleSerializer;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The initial state of learning by cells, as bytes that are sent to the workers: the plan as a
 * model of rows, the settings of learners, the rows that the plan was made of, and where reading of
 * the input ended. The same settings and rows give the same bytes.
 *
 * <p>As a file: the bytes {@code AVMPLAN1}; the lengths and bytes of the plan's file and of a blank
 * learner's (docs/format.md); the number of rows, and each as {@link ExampleSerializer} writes it;
 * the number of sources, and each with the position after the last row; a CRC32C of all that.
 */
public final class CellStart implements Serializable {
  /** Of a job that is shown and not started. */
  public static final CellStart NONE = new CellStart(new byte[] {});

  private static final long serialVersionUID = 1;
  private static final long MAGIC = 0x41564D504C414E31L;
  private static final int MOST_ROWS = 1 << 24;

  private final byte[] file;

  /** What was read of the bytes. */
  private static final class Parts {
    final byte[] plan;
    final byte[] blank;
    final List<Example> rows;
    final Map<String, Long> ends;

    Parts(byte[] plan, byte[] blank, List<Example> rows, Map<String, Long> ends) {
      this.plan = plan;
      this.blank = blank;
      this.rows = rows;
      this.ends = ends;
    }
  }

  private CellStart(byte[] file) {
    this.file = file;
  }

  /**
   * Makes the plan: a learner of all the rows, frozen, and cells around centres of them.
   *
   * @param start a learner that has learned nothing, with columns and class names
   * @param rows labelled examples
   * @param cells number of cells, ≥ 2
   * @param ends position after the last of the rows, by source
   * @return the start
   * @throws InvalidModelException if the start is not of the self-configuring learner
   * @throws IllegalArgumentException if the learner refuses a row, or there are too few
   */
  public static CellStart make(
      StartFiles start, List<Example> rows, int cells, Map<String, Long> ends)
      throws InvalidModelException {
    RowModel like = RowModel.read(start.file());
    if (!(Learner.fromBytes(start.blank()) instanceof AutoLearner blank)) {
      throw new InvalidModelException("cells need the self-configuring learner");
    }
    List<Double> labels =
        IntStream.range(0, like.classNames().size()).mapToObj(k -> (double) k).toList();
    AutoLearner learner =
        new AutoLearner(blank.settings().toBuilder().cells(0).labels(labels).build());
    List<FeatureVector> vectors = new ArrayList<>();
    for (Example row : rows) {
      learner.learn(row.x(), row.y(), row.weight());
      vectors.add(row.x());
    }
    CellPlan plan = CellPlan.of(learner, vectors, cells);
    RowModel model = new RowModel(like.schema(), like.target(), like.classNames(), plan.model());
    return new CellStart(write(new Parts(model.toBytes(), start.blank(), rows, ends)));
  }

  /**
   * {@return the start in the bytes of a file}
   *
   * @param file the bytes
   * @throws IOException if they are not such a file
   */
  public static CellStart read(byte[] file) throws IOException {
    CellStart start = new CellStart(file.clone());
    start.plan();
    return start;
  }

  private static byte[] write(Parts parts) {
    DataOutputSerializer out = new DataOutputSerializer(1 << 16);
    try {
      out.writeLong(MAGIC);
      out.writeInt(parts.plan.length);
      out.write(parts.plan);
      out.writeInt(parts.blank.length);
      out.write(parts.blank);
      out.writeInt(parts.rows.size());
      for (Example row : parts.rows) {
        ExampleSerializer.INSTANCE.serialize(bare(row), out);
      }
      out.writeInt(parts.ends.size());
      for (Map.Entry<String, Long> end : new TreeMap<>(parts.ends).entrySet()) {
        out.writeUTF(end.getKey());
        out.writeLong(end.getValue());
      }
      out.writeLong(crc(out.getSharedBuffer(), out.length()));
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return out.getCopyOfBuffer();
  }

  /** Only what is learned from. */
  private static Example bare(Example row) {
    return new Example("", "", row.x(), row.y(), row.weight(), row.time());
  }

  private Parts parts() throws IOException {
    try {
      int body = file.length - Long.BYTES;
      DataInputDeserializer in = new DataInputDeserializer(file);
      if (body < Long.BYTES
          || in.readLong() != MAGIC
          || new DataInputDeserializer(file, body, Long.BYTES).readLong() != crc(file, body)) {
        throw new IOException("this is no plan of cells, or it is damaged");
      }
      byte[] plan = new byte[count(in, file.length)];
      in.readFully(plan);
      byte[] blank = new byte[count(in, file.length)];
      in.readFully(blank);
      List<Example> rows = new ArrayList<>();
      for (int left = count(in, MOST_ROWS); left > 0; left--) {
        rows.add(ExampleSerializer.INSTANCE.deserialize(in));
      }
      Map<String, Long> ends = new TreeMap<>();
      for (int left = count(in, MOST_ROWS); left > 0; left--) {
        ends.put(in.readUTF(), in.readLong());
      }
      return new Parts(plan, blank, rows, ends);
    } catch (IllegalArgumentException e) {
      throw new IOException("this is no plan of cells: " + e.getMessage(), e);
    }
  }

  private static int count(DataInputDeserializer in, int most) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > most) {
      throw new IOException("a count in the plan must be in 0.." + most + ", was " + count);
    }
    return count;
  }

  private static long crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }

  /** {@return the bytes of a file of it} */
  public byte[] toBytes() {
    return file.clone();
  }

  /** {@return a number that other plans hardly share} */
  public long fingerprint() {
    return crc(file, file.length - Long.BYTES);
  }

  /**
   * {@return the plan's file: a model of rows}
   *
   * @throws IOException if the bytes are damaged
   */
  public byte[] model() throws IOException {
    return parts().plan;
  }

  /**
   * {@return where reading of the input goes on, by source}
   *
   * @throws IOException if the bytes are damaged
   */
  public Map<String, Long> ends() throws IOException {
    return parts().ends;
  }

  /**
   * {@return the number of rows that the plan was made of}
   *
   * @throws IOException if the bytes are damaged
   */
  public int rows() throws IOException {
    return parts().rows.size();
  }

  /**
   * {@return the plan}
   *
   * @throws IOException if the bytes are damaged
   */
  public CellPlan plan() throws IOException {
    try {
      return new CellPlan(RowModel.read(model()).model());
    } catch (IllegalArgumentException e) {
      throw new IOException("this is no plan of cells: " + e.getMessage(), e);
    }
  }

  /**
   * Makes the source of new learners, each trained on the rows of the plan in its cell.
   *
   * @throws IOException if the bytes are damaged
   */
  Beginnings beginnings(CellPlan plan) throws IOException {
    Parts parts = parts();
    if (!(Learner.fromBytes(parts.blank) instanceof AutoLearner blank)) {
      throw new IOException("the plan's learner is not the self-configuring one");
    }
    return new Beginnings(plan, blank.settings(), parts.rows);
  }

  /** Makes the learner of a cell that has none yet. */
  static final class Beginnings {
    private final CellPlan plan;
    private final AutoConfig settings;
    private final Map<Integer, List<Example>> rows = new TreeMap<>();

    private Beginnings(CellPlan plan, AutoConfig settings, List<Example> all) {
      this.plan = plan;
      this.settings = settings;
      for (Example row : all) {
        rows.computeIfAbsent(plan.cellOf(row.x()), cell -> new ArrayList<>()).add(row);
      }
    }

    CellLearner of(int cell) {
      CellLearner learner = new CellLearner(plan, settings);
      for (Example row : rows.getOrDefault(cell, List.of())) {
        learner.begin(row.x(), row.y(), row.weight());
      }
      return learner;
    }
  }
}
