// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.IOContext;
import java.io.OutputStream;

/** Makes {@link DataParser}s and {@link DataGenerator}s: JSON is in UTF-8 and comes as bytes. */
final class DataFactory extends JsonFactory {
  private static final long serialVersionUID = 1;

  DataFactory(JsonFactoryBuilder settings) {
    super(settings);
  }

  @Override
  protected JsonParser _createParser(byte[] data, int offset, int length, IOContext context) {
    return new DataParser(
        context,
        _parserFeatures,
        _objectCodec,
        _byteSymbolCanonicalizer.makeChild(_factoryFeatures),
        data,
        offset,
        offset + length);
  }

  @Override
  protected JsonGenerator _createUTF8Generator(OutputStream out, IOContext context) {
    return new DataGenerator(context, _generatorFeatures, _objectCodec, out, _quoteChar);
  }
}
