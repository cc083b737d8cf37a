// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that may change state. Held and compared as SHA-256 digests, all of them each time, so
 * that neither a token's content nor its length shows in the time an answer takes.
 */
public final class BearerTokens {
  private static final String SCHEME = "Bearer ";
  private static final int SHORTEST = 16;

  private final List<byte[]> digests = new ArrayList<>();

  private BearerTokens() {}

  /** No tokens: everything that changes state is refused. */
  public static BearerTokens none() {
    return new BearerTokens();
  }

  /**
   * One token a line; empty lines and those that begin with # are passed over.
   *
   * @throws IOException if the file cannot be read, has no token or a token below 16 characters
   */
  public static BearerTokens read(Path file) throws IOException {
    BearerTokens tokens = new BearerTokens();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String token = line.strip();
      if (token.isEmpty() || token.startsWith("#")) {
        continue;
      }
      if (token.length() < SHORTEST) {
        throw new IOException(
            file + " line " + number + ": a token needs at least " + SHORTEST + " characters");
      }
      tokens.digests.add(digest(token));
    }
    if (tokens.digests.isEmpty()) {
      throw new IOException(file + ": has no token; write one a line");
    }
    return tokens;
  }

  /**
   * Lets a request pass that carries one of the tokens.
   *
   * @param authorization the header's value, null if there is none
   * @throws Problem if it does not, or if there are no tokens at all
   */
  public void require(@Nullable String authorization) {
    if (digests.isEmpty()) {
      throw Problem.forbidden(
          "this server was started without tokens (token-file), so nothing can be changed here");
    }
    String header = authorization == null ? "" : authorization;
    boolean bearer = header.startsWith(SCHEME);
    byte[] given = digest(bearer ? header.substring(SCHEME.length()).strip() : "");
    boolean known = false;
    for (byte[] digest : digests) {
      known |= MessageDigest.isEqual(digest, given);
    }
    if (!known || !bearer) {
      throw Problem.unauthorized(
          "needs the header 'authorization: Bearer TOKEN' with a valid token");
    }
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
