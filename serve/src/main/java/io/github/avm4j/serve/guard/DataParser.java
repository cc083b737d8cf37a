// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Jackson's parser of bytes, with two shortcuts past its tokens for the numbers of rows and
 * tensors.
 *
 * <p>A shortcut begins behind a value and consumes whole members of the form {@code , value}, where
 * Jackson's own state is the same before and after. It takes plain numbers on one line: up to 18
 * digits, no exponent, not −0. It leaves everything else, wrong or merely rare, where it stands:
 * the next token is then Jackson's, and so are the rules of JSON and the words for what breaks
 * them.
 */
final class DataParser extends UTF8StreamJsonParser {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int EIGHT = 8;

  /** So many bytes before the end of the document it is left to Jackson. */
  private static final int NEAR_END = 32;

  private static final long ZEROS = 0x3030303030303030L;
  private static final long COMMAS = 0x2c2c2c2c2c2c2c2cL;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long[] TENS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  /** Up to where a number has room for so many digits more. */
  private static final long[] ROOM = new long[EIGHT + 1];

  static {
    Arrays.setAll(ROOM, k -> Decimal.MOST / TENS[k]);
  }

  /** A table, for signs are hard to foresee. */
  private static final double[] SIGNS = {1, -1};

  /** Where the number read last ends. */
  private int end;

  DataParser(
      IOContext context,
      int features,
      @Nullable ObjectCodec codec,
      ByteQuadsCanonicalizer names,
      byte[] bytes,
      int from,
      int to) {
    super(context, features, null, codec, names, bytes, from, to, 0, false);
  }

  /**
   * Reads the numbers that follow an element of an array, as many as are plain and fit.
   *
   * @param count numbers that {@code into} holds already
   * @return how many it holds now
   */
  int numbers(double[] into, int count) {
    int n = count;
    int at = _inputPtr;
    while (n < into.length && at < _inputEnd && _inputBuffer[at] == ',') {
      double value = shortNumber(at + 1);
      if (Double.isNaN(value)) {
        value = number(skipSpaces(at + 1));
        if (Double.isNaN(value)) {
          break;
        }
      }
      into[n++] = value;
      at = end;
    }
    _inputPtr = at;
    return n;
  }

  /**
   * A number of the form {@code -0.1234}, up to seven characters and a comma behind them, without a
   * branch that depends on its sign or length: those are what costs most of the time of a number.
   * NaN for others.
   */
  private double shortNumber(int from) {
    if (from > _inputEnd - NEAR_END) {
      return Double.NaN;
    }
    long word = (long) WORDS.get(_inputBuffer, from);
    long others = word ^ COMMAS;
    int length = Long.numberOfTrailingZeros(others - ONES & ~others & HIGHS) / EIGHT;
    int minus = (word & 0xff) == '-' ? 1 : 0;
    long text = word >>> EIGHT * minus;
    int places = length - minus - 2;
    long whole = (text & 0xff) - '0';
    if (length == EIGHT || places <= 0 || (text >>> 8 & 0xff) != '.' || whole < 0 || whole > 9) {
      return Double.NaN;
    }
    long fraction = (text >>> 16 ^ ZEROS) << (64 - EIGHT * places);
    long digits = whole * TENS[places] + value(fraction);
    if (digits(fraction) < EIGHT || digits < minus) {
      return Double.NaN;
    }
    end = from + length;
    return SIGNS[minus] * Decimal.of(digits, places);
  }

  /**
   * Reads the number of the member that follows a member of an object.
   *
   * @param name the member's name in UTF-8, in quotes; empty for none
   * @return NaN, and nothing is read, if another member follows or its value is no plain number
   */
  double member(byte[] name) {
    int at = _inputPtr;
    if (name.length == 0 || at >= _inputEnd || _inputBuffer[at] != ',') {
      return Double.NaN;
    }
    at = skipSpaces(at + 1);
    int colon = at + name.length;
    if (colon >= _inputEnd
        || _inputBuffer[colon] != ':'
        || !Arrays.equals(_inputBuffer, at, colon, name, 0, name.length)) {
      return Double.NaN;
    }
    double value = number(skipSpaces(colon + 1));
    if (!Double.isNaN(value)) {
      _inputPtr = end;
    }
    return value;
  }

  private int skipSpaces(int from) {
    int at = from;
    while (at < _inputEnd && _inputBuffer[at] == ' ') {
      at++;
    }
    return at;
  }

  /**
   * The number at {@code from}, which sets {@link #end}; NaN if none is there or it is not plain.
   */
  private double number(int from) {
    if (from > _inputEnd - NEAR_END) {
      return Double.NaN;
    }
    byte[] bytes = _inputBuffer;
    int minus = bytes[from] == '-' ? 1 : 0;
    int at = from + minus;
    long digits = (long) bytes[at] - '0';
    if (digits < 0 || digits > 9) {
      return Double.NaN;
    }
    at++;
    int next = bytes[at] - '0';
    if (next >= 0 && next <= 9) {
      if (digits == 0) {
        return Double.NaN;
      }
      do {
        digits = 10 * digits + next;
        next = bytes[++at] - '0';
      } while (next >= 0 && next <= 9 && at < from + Decimal.DIGITS);
    }
    int places = 0;
    if (bytes[at] == '.') {
      int first = at + 1;
      at = first;
      int count;
      do {
        if (at > _inputEnd - EIGHT) {
          return Double.NaN;
        }
        long eight = (long) WORDS.get(bytes, at) ^ ZEROS;
        count = digits(eight);
        if (digits >= ROOM[count]) {
          return Double.NaN;
        }
        if (count > 0) {
          digits = digits * TENS[count] + value(eight << (64 - EIGHT * count));
          at += count;
        }
      } while (count == EIGHT);
      places = at - first;
      if (places == 0 || places > Decimal.PLACES) {
        return Double.NaN;
      }
    }
    if (at == _inputEnd || !ends(bytes[at]) || (minus > 0 && digits == 0)) {
      return Double.NaN;
    }
    end = at;
    return SIGNS[minus] * Decimal.of(digits, places);
  }

  /** How many of eight bytes, xor '0', are digits before the first that is none. */
  private static int digits(long eight) {
    long others = (eight | eight + 0x7676767676767676L) & HIGHS;
    return Long.numberOfTrailingZeros(others) / EIGHT;
  }

  /** The number of eight digits, the first in the lowest byte; bytes that are 0 lead it. */
  private static long value(long eight) {
    long pairs = 10 * eight + (eight >>> 8);
    long left = (pairs & 0x000000ff000000ffL) * 0x000f424000000064L;
    long right = (pairs >>> 16 & 0x000000ff000000ffL) * 0x0000271000000001L;
    return left + right >>> 32;
  }

  private static boolean ends(byte next) {
    return next == ',' || next == ']' || next == '}' || next == ' ' || next == '\n' || next == '\r';
  }
}
