// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open source.
 *
 * @param name what messages call it
 * @param plain the file itself, if it is one and not compressed
 * @param head its first bytes
 * @param stream all its bytes, unpacked
 */
record Input(String name, @Nullable Path plain, Head head, InputStream stream)
    implements Closeable {
  @Override
  public void close() throws IOException {
    stream.close();
  }
}
