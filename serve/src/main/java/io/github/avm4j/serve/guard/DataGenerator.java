// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.io.NumberOutput;
import com.fasterxml.jackson.core.json.UTF8JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Jackson's generator of UTF-8, with doubles copied into its buffer as they are: ASCII. */
final class DataGenerator extends UTF8JsonGenerator {
  DataGenerator(
      IOContext context, int features, @Nullable ObjectCodec codec, OutputStream out, char quote) {
    super(context, features, codec, out, quote);
  }

  @Override
  @SuppressWarnings("deprecation") // String.getBytes(int…) is what copies ASCII without a detour
  public void writeNumber(double value) throws IOException {
    if (!Double.isFinite(value)) {
      super.writeNumber(value);
      return;
    }
    _verifyValueWrite(WRITE_NUMBER);
    String text = NumberOutput.toString(value, true);
    int length = text.length();
    if (_outputTail + length >= _outputEnd) {
      _flushBuffer();
    }
    text.getBytes(0, length, _outputBuffer, _outputTail);
    _outputTail += length;
  }
}
