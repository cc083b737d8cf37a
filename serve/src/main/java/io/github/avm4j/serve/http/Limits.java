// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

/**
 * Limits on one request and on all requests together.
 *
 * @param bodyBytes most bytes of a body
 * @param rows most rows of a request
 * @param elements most numbers or texts of all tensors of a request
 * @param concurrent most requests being worked on at once
 * @param queueMillis fewer are let in while requests take longer than this
 */
public record Limits(int bodyBytes, int rows, int elements, int concurrent, int queueMillis) {
  /**
   * Lets a number of rows pass.
   *
   * @throws Problem if there are more than allowed
   */
  public void checkRows(long count) {
    if (count > rows) {
      throw Problem.tooLarge(
          count + " rows are too many for one request, allowed are " + rows + "; send fewer");
    }
  }

  /**
   * Lets a number of elements pass.
   *
   * @throws Problem if there are more than allowed
   */
  public void checkElements(long count) {
    if (count > elements) {
      throw Problem.tooLarge("more than " + elements + " numbers in one request; send fewer rows");
    }
  }
}
