// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * Where a model comes from. Numbers may differ in the last bits between platforms and SIMD
 * providers, so both are part of the record.
 *
 * @param library version of avm4j
 * @param instances steps taken, zero-weight instances not counted
 * @param jdk the Java runtime's version
 * @param architecture operating system and processor
 * @param simd the provider of the inner loops
 */
public record Provenance(
    String library, long instances, String jdk, String architecture, String simd) {

  /** The version of this library; a test holds it equal to the build's. */
  public static final String LIBRARY_VERSION = "0.1.0-SNAPSHOT";

  /**
   * {@return the provenance of a model made by this JVM}
   *
   * @param instances number of instances learned
   */
  public static Provenance here(long instances) {
    return new Provenance(
        LIBRARY_VERSION,
        instances,
        Runtime.version().toString(),
        System.getProperty("os.name", "?") + " " + System.getProperty("os.arch", "?"),
        VectorOpsProvider.get().name());
  }
}
