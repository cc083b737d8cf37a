// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and what their bearers may do, from a file of lines {@code NAME TOKEN PERMISSION,…}. Held
 * and compared as SHA-256 digests, all of them each time, so that neither a token's content nor its
 * length shows in the time a reply takes. {@link #poll} reads the file again when it has changed; a
 * file that is wrong leaves the old tokens in use.
 */
public final class BearerTokens {
  private static final String SCHEME = "Bearer ";
  private static final int SHORTEST = 16;

  private final @Nullable Path file;
  private final EventLog log;
  private volatile Loaded loaded;
  private String problem = "";

  /** Whom a token belongs to, and what it permits. */
  record Caller(String name, Set<Permission> permissions) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(Caller caller, byte[] digest) {}

  private record Loaded(List<Entry> entries, FileTime time, long size) {}

  private BearerTokens(@Nullable Path file, EventLog log, Loaded loaded) {
    this.file = file;
    this.log = log;
    this.loaded = loaded;
  }

  /** No tokens: all that is not open is refused. */
  public static BearerTokens none(EventLog log) {
    return new BearerTokens(null, log, new Loaded(List.of(), FileTime.fromMillis(0), 0));
  }

  /**
   * The tokens of a file; empty lines and those that begin with # are passed over.
   *
   * @throws IOException if the file cannot be read, has no token, or a line that is wrong
   */
  public static BearerTokens read(Path file, EventLog log) throws IOException {
    return new BearerTokens(file, log, load(file));
  }

  /** Takes in a changed file; one thread at a time. */
  public void poll() {
    Path from = file;
    if (from == null) {
      return;
    }
    try {
      boolean same =
          Files.getLastModifiedTime(from).equals(loaded.time) && Files.size(from) == loaded.size;
      if (!same) {
        loaded = load(from);
        log.info("tokens_loaded", "file", from, "tokens", loaded.entries.size());
      }
      problem = "";
    } catch (IOException e) {
      if (!problem.equals(e.toString())) {
        log.warn("tokens_refused", "file", from, "reason", e.toString());
      }
      problem = e.toString();
    }
  }

  private static Loaded load(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    long size = Files.size(file);
    List<Entry> entries = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        entries.add(entry(stripped, file + " line " + number));
      }
    }
    if (entries.isEmpty()) {
      throw new IOException(file + ": has no token; write lines NAME TOKEN PERMISSION,…");
    }
    return new Loaded(List.copyOf(entries), time, size);
  }

  private static Entry entry(String line, String where) throws IOException {
    String[] words = line.split("\\s+");
    if (words.length != 3 || words[1].length() < SHORTEST) {
      throw new IOException(
          where
              + ": must be NAME TOKEN PERMISSION,… with a token of at least "
              + SHORTEST
              + " characters, such as 'ann TOKEN learn,explain'");
    }
    try {
      return new Entry(new Caller(words[0], Permission.list(words[2])), digest(words[1]));
    } catch (IllegalArgumentException e) {
      throw new IOException(where + ": " + e.getMessage(), e);
    }
  }

  /**
   * Whose token a request carries.
   *
   * @param authorization the header's value, null if there is none
   * @throws Problem if it carries none of them, or if there are no tokens at all
   */
  Caller caller(@Nullable String authorization) {
    List<Entry> entries = loaded.entries;
    if (entries.isEmpty()) {
      throw Problem.forbidden(
          "this needs a token, and the server has none: start it with --token-file FILE");
    }
    String header = authorization == null ? "" : authorization;
    boolean bearer = header.startsWith(SCHEME);
    byte[] given = digest(bearer ? header.substring(SCHEME.length()).strip() : "");
    Caller caller = null;
    for (Entry entry : entries) {
      caller = MessageDigest.isEqual(entry.digest, given) ? entry.caller : caller;
    }
    if (caller == null || !bearer) {
      throw Problem.unauthorized(
          "this needs the header 'authorization: Bearer TOKEN' with a valid token");
    }
    return caller;
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
