// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import io.github.avm4j.serve.http.Limits;

/**
 * Limits and times that are no settings, because who runs a server cannot know them better. Tests
 * use others than {@link #USUAL}.
 *
 * @param rows most rows of a request
 * @param elements most numbers or texts of a request
 * @param concurrent most requests being worked on at once
 * @param queueMillis fewer are let in while they wait for longer than this
 * @param heldBytes most bytes of bodies and large replies held at once; 0 for an eighth of the heap
 * @param streams most requests without a reply on one connection
 * @param connections most connections
 * @param pollMillis time between two looks at folders, tokens and certificates
 * @param drainMillis longest wait for requests under way at the end
 */
public record Tuning(
    int rows,
    int elements,
    int concurrent,
    int queueMillis,
    int heldBytes,
    int streams,
    int connections,
    int pollMillis,
    int drainMillis) {
  /**
   * What servers use.
   *
   * <ul>
   *   <li>10,000 rows and 4,000,000 numbers: what a body of 16 MiB, the usual limit, can hold.
   *   <li>256 requests at once: a ceiling; the measured time of computing one lowers it, so that
   *       none waits for more than 10 ms.
   *   <li>100 requests of a connection: the least that HTTP/2 recommends.
   *   <li>20,000 connections: below the limit of open files in the systemd unit.
   *   <li>A look every second; ten seconds to end, the longest request by default.
   * </ul>
   */
  public static final Tuning USUAL =
      new Tuning(10_000, 4_000_000, 256, 10, 0, 100, 20_000, 1000, 10_000);

  /** With the setting of the largest body. */
  public Limits limits(int bodyBytes) {
    return new Limits(bodyBytes, rows, elements, concurrent, queueMillis);
  }
}
