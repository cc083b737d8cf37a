// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import io.github.avm4j.data.Unpacked;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Unpacks a file, copies it on, and compares it with what the catalogue says. */
final class Checksum {
  private Checksum() {}

  /**
   * Unpacks {@code packed} into {@code out}.
   *
   * @throws DataException if it is not the wanted file
   */
  static void copy(Path packed, DataFile wanted, OutputStream out, Progress progress)
      throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[1 << 16];
    long size = 0;
    try (InputStream in = Unpacked.open(packed)) {
      for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
        size += got;
        if (size > wanted.bytes()) {
          throw new DataException(
              packed + ": holds more than the " + wanted.bytes() + " bytes of " + wanted.name());
        }
        digest.update(buffer, 0, got);
        out.write(buffer, 0, got);
        progress.update(wanted.name(), size, wanted.bytes());
      }
    } catch (DataException e) {
      throw e;
    } catch (IOException e) {
      throw new DataException(packed + ": cannot be unpacked: " + e.getMessage(), e);
    }
    String found = HexFormat.of().formatHex(digest.digest());
    if (size != wanted.bytes() || !found.equals(wanted.sha256())) {
      throw new DataException(
          packed
              + ": is not "
              + wanted.name()
              + ": "
              + size
              + " bytes with SHA-256 "
              + found
              + ", expected "
              + wanted.bytes()
              + " bytes with "
              + wanted.sha256());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
