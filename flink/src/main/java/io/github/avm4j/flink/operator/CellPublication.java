// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.CellUpdate;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a model in parts ({@link CellManifest}): only parts that differ from what was sent
 * before are sent, then the manifest. What was sent is keyed state. A part that was removed is sent
 * as no bytes. Parts of other plans are removed after the first manifest, so that readers have its
 * version by then.
 *
 * <p>The state is trusted if this start of the job sent it, or if the outputs are the same and all
 * hold the state's newest version. If not, as after going back to an older savepoint or with
 * another topic, all parts are sent. Metrics: {@code sentParts}, {@code sentBytes}, since the task
 * was started.
 */
final class CellPublication {
  private final String name;
  private final String plan;
  private final List<byte[]> pieces;
  private final long[] digests;
  private final int[] sizes;
  private final BitSet changed = new BitSet();
  private final String launch;
  private final String outputs;
  private final List<String> listed;
  private final MapState<String, Long> sent;
  private final ValueState<String> sentBy;
  private final Counter parts;
  private final Counter bytes;
  private boolean begun;

  /** Gives the newest model of each cell. */
  interface Models {
    /** The last update of a cell; null if there is none. */
    @Nullable CellUpdate of(int cell) throws Exception;
  }

  /**
   * Opens the state in the context of a function.
   *
   * @param launch names this start of the job, the same after each of its failures
   * @param outputs names where parts go
   * @param listed keys of the parts that the outputs' newest version listed at the start of the job
   */
  CellPublication(
      RuntimeContext context,
      String name,
      CellStart start,
      String launch,
      String outputs,
      List<String> listed)
      throws IOException {
    this.name = name;
    this.plan = Long.toHexString(start.fingerprint());
    this.pieces = CellManifest.pieces(start.model());
    this.digests = new long[start.plan().size()];
    this.sizes = new int[digests.length];
    this.launch = launch;
    this.outputs = outputs;
    this.listed = listed;
    sent = context.getMapState(new MapStateDescriptor<>("sent", Types.STRING, Types.LONG));
    sentBy = context.getState(new ValueStateDescriptor<>("sent-by", Types.STRING));
    parts = context.getMetricGroup().counter("sentParts");
    bytes = context.getMetricGroup().counter("sentBytes");
  }

  /** Marks a cell as changed. */
  void take(CellUpdate update) {
    byte[] model = update.model();
    digests[update.cell()] = model.length == 0 ? CellManifest.NONE : CellManifest.digest(model);
    sizes[update.cell()] = model.length;
    changed.set(update.cell());
  }

  /** Cells that have a model. */
  int models() {
    int count = 0;
    for (long digest : digests) {
      count += digest == CellManifest.NONE ? 0 : 1;
    }
    return count;
  }

  /**
   * Sends the parts that differ from what was sent before, then the manifest.
   *
   * @param goesOn whether all outputs held the newest version when the job was started
   */
  void publish(
      Models models,
      VersionLine versions,
      boolean goesOn,
      long now,
      long instances,
      Collector<ModelVersion> out)
      throws Exception {
    byte[] manifest = manifest(instances);
    ModelVersion version = versions.next(now, instances, manifest, size() + manifest.length);
    Set<String> ended = begun ? Set.of() : begin(goesOn, version, out);
    for (int cell = changed.nextSetBit(0); cell >= 0; cell = changed.nextSetBit(cell + 1)) {
      String key = CellManifest.cellKey(plan, cell);
      Long before = sent.get(key);
      if (before == null || before != digests[cell]) {
        CellUpdate update = models.of(cell);
        send(key, update == null ? new byte[0] : update.model(), version, out);
        sent.put(key, digests[cell]);
      }
    }
    changed.clear();
    bytes.inc(manifest.length);
    out.collect(version);
    for (String key : ended) {
      send(key, new byte[0], version, out);
      sent.remove(key);
    }
  }

  private byte[] manifest(long instances) {
    long[] ofPlan = pieces.stream().mapToLong(CellManifest::digest).toArray();
    return new CellManifest(plan, Provenance.here(instances), ofPlan, digests).toBytes();
  }

  private long size() {
    long sum = 0;
    for (byte[] piece : pieces) {
      sum += piece.length;
    }
    for (int size : sizes) {
      sum += size;
    }
    return sum;
  }

  /** The first time after a start: sends the plan; the keys of parts of other plans. */
  private Set<String> begin(boolean goesOn, ModelVersion version, Collector<ModelVersion> out)
      throws Exception {
    String by = sentBy.value();
    boolean mine = by != null && by.startsWith(launch);
    if (by == null || !(mine || goesOn && by.endsWith("\n" + outputs))) {
      sent.clear();
    }
    sentBy.update(launch + "\n" + outputs);
    Set<String> ended = new TreeSet<>(mine ? List.of() : listed);
    sent.keys().forEach(ended::add);
    ended.removeIf(key -> key.startsWith(plan + "/"));
    for (int piece = 0; piece < pieces.size(); piece++) {
      String key = CellManifest.pieceKey(plan, piece);
      if (sent.get(key) == null) {
        send(key, pieces.get(piece), version, out);
        sent.put(key, CellManifest.digest(pieces.get(piece)));
      }
    }
    changed.set(0, digests.length);
    begun = true;
    return ended;
  }

  private void send(String key, byte[] part, ModelVersion of, Collector<ModelVersion> out) {
    parts.inc();
    bytes.inc(part.length);
    String whole = name + "/" + key;
    out.collect(new ModelVersion(whole, of.lineage(), of.version(), of.instances(), part));
  }
}
