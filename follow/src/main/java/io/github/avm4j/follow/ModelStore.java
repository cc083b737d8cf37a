// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import io.github.avm4j.pipeline.CellAssembly;
import org.jspecify.annotations.Nullable;

/**
 * Takes the versions that {@linkplain ModelSource sources} find, and is notified of what they
 * cannot use. {@link NewestModel} is one for the newest version of one model.
 */
public interface ModelStore {
  /**
   * {@return whether it takes versions of this name at all}
   *
   * @param name a model's name
   */
  default boolean wants(String name) {
    return true;
  }

  /** {@return how many versions of a name it holds; of a folder, older ones are not read} */
  int keep();

  /**
   * {@return whether it holds a version}
   *
   * @param name a model's name
   * @param lineage the version's lineage
   * @param version its number; null for any version of the name
   */
  boolean holds(String name, String lineage, @Nullable Long version);

  /**
   * {@return the lineage in use; empty if none is, or none was said}
   *
   * @param name a model's name
   */
  String lineage(String name);

  /**
   * {@return a number above those of a name, for a source that numbers nothing}
   *
   * @param name a model's name
   */
  long nextVersion(String name);

  /**
   * Checks a version and uses it if it is good. One that is not is {@linkplain #refuse refused} and
   * changes nothing.
   *
   * @param arrival what the source knows of it
   * @param file bytes of the file of a model or detector, or of the manifest of a model in parts
   * @param made the model of the parts; null if the file is a whole one
   * @return whether it is held now
   */
  boolean take(Arrival arrival, byte[] file, CellAssembly.@Nullable Assembled<?> made);

  /**
   * Is notified of something that cannot be used.
   *
   * @param name the model's name
   * @param source file, or record of a topic
   * @param reason what is wrong
   */
  void refuse(String name, String source, String reason);

  /**
   * Is notified of a version that is not used because of its place in the order.
   *
   * @param arrival the version
   * @param reason why
   */
  void discard(Arrival arrival, String reason);

  /**
   * Is notified, once, that a source cannot be read any more; what is held stays.
   *
   * @param source its name
   * @param reason why
   */
  void gone(String source, String reason);

  /**
   * Is notified that a source that was gone can be read again.
   *
   * @param source its name
   */
  void back(String source);
}
