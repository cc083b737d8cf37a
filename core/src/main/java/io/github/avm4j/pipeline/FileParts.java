// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the bytes of a file are for. Most of a learner's are for going on to learn, and a model that
 * is frozen or exported has none of these.
 */
public final class FileParts {
  private FileParts() {}

  /**
   * The parts of a file of a model, learner or detector.
   *
   * @param file all bytes
   * @return numbers of bytes by what they are for, in the order of the file; together the file's
   * @throws InvalidModelException if the file is damaged, or none of avm4j's
   */
  public static Map<String, Integer> of(byte[] file) throws InvalidModelException {
    Map<String, Integer> parts = new LinkedHashMap<>();
    int[] rest = {file.length};
    Sections.read(file)
        .forEach(
            (type, section) -> {
              parts.merge(use(type), section.remaining(), Integer::sum);
              rest[0] -= section.remaining();
            });
    parts.put("lengths and checksums", rest[0]);
    return Collections.unmodifiableMap(parts);
  }

  private static String use(int type) {
    return switch (type) {
      case Sections.CONFIG, Sections.PROVENANCE -> "settings and origin";
      case Sections.MODEL, Sections.SCALING, Sections.BOUNDS -> "model";
      case Sections.SCHEMA, Sections.COLUMNS, Sections.CELL_RULES -> "columns";
      case Sections.LEARNER, Sections.SECOND_ORDER -> "what the model needs to go on learning";
      case Sections.STATE -> "state of the learner";
      case Sections.CELLS -> "models of cells";
      case Sections.CELL_CONTEST -> "who predicts in a cell";
      case Sections.CALIBRATION -> "intervals";
      case Sections.DETECTOR -> "detector";
      case Sections.MANIFEST -> "list of parts";
      case Sections.WAITING -> "rows that wait for labels";
      default -> "other";
    };
  }
}
