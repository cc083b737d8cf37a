// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The schema that a learner was trained with, as state: the task, the target, the classes in their
 * order and every column. A learner that is restored from a savepoint must have the same schema as
 * the job's file, else classes or features would be exchanged without an error.
 *
 * <p>Each line is a fact, its name before the first space. The state is a union list, so that every
 * subtask sees it at any parallelism.
 */
final class RowIdentity {
  private static final ListStateDescriptor<String> STATE =
      new ListStateDescriptor<>("avm-rows", Types.STRING);

  private final List<String> facts;
  private final ListState<String> state;

  private RowIdentity(List<String> facts, ListState<String> state) {
    this.facts = facts;
    this.state = state;
  }

  /**
   * The identity of {@code file}'s rows, compared with what the state says.
   *
   * @param file of a model, learner or detector of rows
   * @throws SuppressRestartsException if they differ: trying again would not help
   */
  static RowIdentity check(OperatorStateStore store, byte[] file) throws Exception {
    return check(store, file, List.of());
  }

  /** The same with more facts that must not change. */
  static RowIdentity check(OperatorStateStore store, byte[] file, List<String> more)
      throws Exception {
    List<String> facts = facts(file);
    facts.addAll(more);
    ListState<String> state = store.getUnionListState(STATE);
    List<String> before = new ArrayList<>();
    state.get().forEach(before::add);
    if (!before.isEmpty()) {
      requireSame(before, facts);
    }
    return new RowIdentity(facts, state);
  }

  /** Makes this part of the checkpoint; the first subtask speaks for all. */
  void save(int subtask) throws Exception {
    state.update(subtask == 0 ? facts : List.of());
  }

  static List<String> facts(byte[] file) throws InvalidModelException {
    List<String> facts = new ArrayList<>();
    Schema schema;
    if (RowDetector.isDetector(file)) {
      schema = RowDetector.read(file).schema();
      facts.add("task DETECTION");
    } else {
      RowModel rows = RowModel.read(file);
      schema = rows.schema();
      facts.add("task " + rows.model().task());
      facts.add("target " + rows.target());
      facts.add("classes " + rows.classNames());
    }
    facts.add("columns " + schema.columns().stream().map(Column::name).toList());
    for (Column column : schema.columns()) {
      facts.add("column " + column);
    }
    return facts;
  }

  private static void requireSame(List<String> before, List<String> now) {
    for (int k = 0; k < Math.max(before.size(), now.size()); k++) {
      String was = k < before.size() ? before.get(k) : "nothing";
      String is = k < now.size() ? now.get(k) : "nothing";
      if (!was.equals(is)) {
        throw refuse(
            "the savepoint does not fit the job's file: there it is '"
                + was
                + "', here '"
                + is
                + "'. Restore the file as it was, or begin anew without the savepoint");
      }
    }
  }

  /** A failure after which Flink does not start the job again. */
  static SuppressRestartsException refuse(String reason) {
    return new SuppressRestartsException(new IllegalStateException(reason));
  }
}
