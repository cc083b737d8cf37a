// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.model.InvalidModelException;

/** The evidence of a {@link Contest}; how many enter it and its window are the reader's to know. */
final class ContestFormat {
  private ContestFormat() {}

  static void write(ByteWriter out, Contest contest) {
    out.u8(contest.incumbent());
    out.i64(contest.seen());
    out.f64(contest.loss());
    for (int i = 0; i < contest.entrants(); i++) {
      out.f64(contest.gain(i));
      out.f64(contest.square(i));
    }
  }

  static void read(ByteReader in, Contest contest) throws InvalidModelException {
    int entrants = contest.entrants();
    int incumbent = in.code("incumbent", entrants);
    long seen = LearnerFormat.count(in, "observed losses");
    double loss = in.f64("mean loss");
    double[] gains = new double[entrants];
    double[] squares = new double[entrants];
    for (int i = 0; i < entrants; i++) {
      gains[i] = in.f64("mean gain");
      squares[i] = LearnerFormat.positive(in, "mean squared gain");
    }
    contest.restore(incumbent, seen, loss, gains, squares);
  }
}
