// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.KMeans;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.model.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A division of the input space into cells that are learned apart from each other, each by a {@link
 * CellLearner}, in any number of threads, processes or machines. A row belongs to one cell, so
 * nothing is ever merged.
 *
 * <pre>{@code
 * CellPlan plan = CellPlan.of(learner, rows, 64); // a learner of these rows, which is then frozen
 * int cell = plan.cellOf(x); // who learns from x
 * Model whole = plan.model(models, instances); // of the models of all cells
 * }</pre>
 *
 * <p>It is a {@link Model} and saved as one: where the model of a cell is missing, the frozen one
 * predicts. Immutable and safe for any number of threads.
 */
public final class CellPlan {
  private final Model model;
  private final Model outer;
  private final Centres cells;

  /**
   * The plan in a model: its newest level is the division. Models of cells are not part of a plan.
   *
   * @param model a plan's model, or one of {@link #model(List, long)}
   * @throws IllegalArgumentException if the model has no cells, or none around centres
   */
  public CellPlan(Model model) {
    if (model.levels().isEmpty()) {
      throw new IllegalArgumentException(
          "a model without cells is no plan: make one with CellPlan.of");
    }
    Cells newest = model.levels().get(model.levels().size() - 1);
    List<@Nullable Model> none = Collections.nCopies(newest.size(), null);
    if (!(newest.partition() instanceof Centres centres)) {
      throw new IllegalArgumentException(
          "cells divided by thresholds are no plan: make one with CellPlan.of");
    }
    this.outer = model.with(model.levels().subList(0, model.levels().size() - 1));
    this.cells = centres;
    this.model = with(none);
  }

  /**
   * A plan around centres of rows, in the scaling of a learner of them. The same learner and rows
   * give the same plan.
   *
   * @param learner of the rows; the plan keeps a copy of what it knows
   * @param rows features of the instances, all dense or all sparse
   * @param cells number of cells; fewer if the rows have fewer centres that differ
   * @return the plan
   * @throws IllegalArgumentException if there are no two cells to make
   */
  public static CellPlan of(AutoLearner learner, List<FeatureVector> rows, int cells) {
    CoreSet centres = cells < 2 ? null : KMeans.ofSample(rows, learner.scaling(), cells);
    if (centres == null) {
      throw new IllegalArgumentException(
          "%d rows cannot be divided into %d cells".formatted(rows.size(), cells));
    }
    // Bounds that do not widen would take for missing what the stream brings later.
    Model frozen = learner.snapshot().with(Bounds.NONE);
    List<@Nullable Model> none = Collections.nCopies(centres.size(), null);
    Cells division = new Cells(new Centres(learner.scaling(), centres), none);
    return new CellPlan(frozen.with(List.of(division)));
  }

  /** {@return the model to save: that of the whole space, and cells without models} */
  public Model model() {
    return model;
  }

  /** {@return the model that predicts where no learner of a cell does; it never changes} */
  public Model outer() {
    return outer;
  }

  /** {@return the number of cells} */
  public int size() {
    return cells.size();
  }

  /**
   * {@return the cell that an instance belongs to, from 0}
   *
   * @param x features of the instance
   * @throws IllegalArgumentException if it has another shape than the plan's rows, or a value that
   *     is not finite
   */
  public int cellOf(FeatureVector x) {
    checkShape(x);
    return cells.indexOf(x);
  }

  void checkShape(FeatureVector x) {
    Shape.check(x, outer.isOpenEnded() ? outer.config().features() : outer.dimension());
  }

  /**
   * The model of the whole space.
   *
   * @param models of the cells, null where {@link CellLearner#model} is
   * @param instances learned from by all
   * @return the model
   * @throws IllegalArgumentException if it is not one model or null for each cell, or one does not
   *     fit the plan
   */
  public Model model(List<@Nullable Model> models, long instances) {
    return model(models, Provenance.here(instances));
  }

  /**
   * The model of the whole space, made elsewhere.
   *
   * @param models of the cells, null where {@link CellLearner#model} is
   * @param provenance where the whole comes from
   * @return the model, which shares the models of its cells
   * @throws IllegalArgumentException if it is not one model or null for each cell, or one does not
   *     fit the plan
   */
  public Model model(List<@Nullable Model> models, Provenance provenance) {
    return with(models).with(provenance);
  }

  private Model with(List<@Nullable Model> models) {
    List<Cells> levels = new ArrayList<>(outer.levels());
    levels.add(new Cells(cells, models));
    return outer.with(levels);
  }

  /** An instance in the form that the frozen model is in, so that the model of a cell fits it. */
  FeatureVector formed(FeatureVector x) {
    if (x.isSparse() == outer.isOpenEnded()) {
      return x;
    }
    int[] indices = new int[x.count()];
    double[] values = new double[outer.isOpenEnded() ? x.count() : outer.dimension()];
    for (int k = 0; k < x.count(); k++) {
      indices[k] = x.isSparse() ? x.indices()[k] : k;
      values[outer.isOpenEnded() ? k : indices[k]] = x.values()[k];
    }
    return outer.isOpenEnded()
        ? FeatureVector.sparse(indices, values)
        : FeatureVector.dense(values);
  }

  /** Whether a label may be learned: it is a class of the plan. */
  boolean knows(double y) {
    if (outer.task() == Task.REGRESSION) {
      return true;
    }
    for (int j = 0; j < outer.classes(); j++) {
      if (outer.label(j) == y) {
        return true;
      }
    }
    return false;
  }
}
