// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

/**
 * One file of a data set.
 *
 * @param role {@code train}, {@code test}, or {@code part} for a part of another file
 * @param mirror path in a mirror folder, packed with xz
 * @param address where it was published, as commonly cited; may be empty
 * @param direct whether {@code address} gives this very file, packed or not; if not, the file was
 *     cut or derived from what is there
 * @param bytes size, unpacked
 * @param sha256 SHA-256 of the unpacked file, in hexadecimal
 * @param rows number of rows
 */
public record DataFile(
    String role,
    String mirror,
    String address,
    boolean direct,
    long bytes,
    String sha256,
    long rows) {
  /** {@return the file's own name, unpacked} */
  public String name() {
    return mirror.substring(mirror.lastIndexOf('/') + 1).replaceFirst("\\.xz$", "");
  }
}
