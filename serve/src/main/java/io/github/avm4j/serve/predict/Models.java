// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.ServedDetector;
import io.github.avm4j.serve.models.ServedModel;
import io.github.avm4j.serve.models.Shelf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the model of a request; errors list the models that exist. */
public final class Models {
  private static final int SHOWN = 20;

  private final ModelRepository repository;

  /** Of that repository. */
  public Models(ModelRepository repository) {
    this.repository = repository;
  }

  /**
   * A model by name and version.
   *
   * @param name null or empty if there is only one
   * @param version null or empty for the one in use
   * @throws Problem if there is none
   */
  public ServedModel find(@Nullable String name, @Nullable String version) {
    Shelf shelf = name == null || name.isEmpty() ? only() : repository.shelf(name);
    ServedModel current = shelf == null ? null : shelf.current();
    if (name != null && repository.detectors().find(name) != null) {
      throw Problem.badRequest("'" + name + "' is a detector of anomalies: POST /v1/detect");
    }
    if (shelf == null) {
      throw Problem.notFound("there is no model '" + brief(name) + "'; loaded are " + names());
    }
    if (current == null) {
      throw Problem.notFound(
          "no version of '" + shelf.name() + "' can predict; GET /v1/models says why");
    }
    if (version == null || version.isEmpty()) {
      return current;
    }
    Shelf.Key key = shelf.find(number(version));
    ServedModel found = key == null ? null : shelf.versions().get(key);
    if (found == null) {
      throw Problem.notFound(
          "there is no version '"
              + brief(version)
              + "' of "
              + shelf.name()
              + "; loaded are "
              + shelf.numbers());
    }
    return found;
  }

  /** The version of a name that predicts; null if there is none yet. */
  @Nullable ServedModel current(String name) {
    return repository.current(name);
  }

  /**
   * A detector by name.
   *
   * @param name null or empty for the only one there is
   * @throws Problem if there is none
   */
  public ServedDetector detector(@Nullable String name) {
    List<ServedDetector> all = repository.detectors().all();
    if (name == null || name.isEmpty()) {
      if (all.size() == 1) {
        return all.get(0);
      }
      throw all.isEmpty()
          ? Problem.unavailable("no detector is loaded yet; avm detect --save makes one")
          : Problem.badRequest(
              "several detectors are loaded; add ?model=NAME, one of " + names(all));
    }
    ServedDetector found = repository.detectors().find(name);
    if (found == null) {
      throw repository.shelf(name) != null
          ? Problem.badRequest("'" + name + "' is a model: POST /v1/predict")
          : Problem.notFound(
              "there is no detector '" + brief(name) + "'; loaded are " + names(all));
    }
    return found;
  }

  private static List<String> names(List<ServedDetector> detectors) {
    return detectors.stream().map(ServedDetector::name).limit(SHOWN).toList();
  }

  /** The loaded versions of a name, oldest first. */
  public List<String> versions(String name) {
    Shelf shelf = repository.shelf(name);
    return shelf == null ? List.of() : shelf.numbers().stream().map(String::valueOf).toList();
  }

  private Shelf only() {
    Shelf only = repository.only();
    if (only == null) {
      throw repository.shelves().isEmpty()
          ? Problem.unavailable("no model is loaded yet; GET /v1/models and the log say why")
          : Problem.badRequest("several models are loaded; add ?model=NAME, one of " + names());
    }
    return only;
  }

  private List<String> names() {
    return repository.shelves().stream().map(Shelf::name).limit(SHOWN).toList();
  }

  /** A version's number, −1 if it is none. */
  public static long number(String version) {
    return version.matches("\\d{1,18}") ? Long.parseLong(version) : -1;
  }

  private static String brief(@Nullable String text) {
    return text == null ? "" : text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }
}
