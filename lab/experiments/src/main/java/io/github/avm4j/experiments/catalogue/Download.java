// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Fetches a file over HTTP into a {@code .part} file, which a broken download leaves behind. */
final class Download {
  private static final int MOST_REDIRECTS = 5;
  private static final long SLACK = 1 << 20;

  private final Limits limits;
  private final HttpClient client;

  Download(Limits limits) {
    this.limits = limits;
    client =
        HttpClient.newBuilder()
            .connectTimeout(limits.connect())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** A response that asking again will not better. */
  private static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  /** What went wrong, also where the network's exceptions have no message of their own. */
  private static String cause(IOException e, DataFile wanted) {
    String host = URI.create(wanted.address()).getHost();
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof UnresolvedAddressException || t instanceof UnknownHostException) {
        return "the host " + host + " is not known here (is there a network?)";
      }
    }
    return e instanceof ConnectException || e.getMessage() == null
        ? "no connection to " + host + " (" + e.getClass().getSimpleName() + message(e) + ")"
        : e.getMessage();
  }

  private static String message(IOException e) {
    return e.getMessage() == null ? "" : ": " + e.getMessage();
  }

  /**
   * Fetches {@code wanted} into {@code part}, going on where {@code part} ends.
   *
   * @throws DataException if the server refuses, or breaks off too often
   */
  void fetch(DataFile wanted, Path part, Progress progress) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        once(wanted, part, progress);
        return;
      } catch (Refused e) {
        Files.deleteIfExists(part);
        throw new DataException(wanted.address() + ": " + e.getMessage(), e);
      } catch (IOException e) {
        if (attempt >= limits.attempts()) {
          throw new DataException(
              wanted.address()
                  + ": interrupted "
                  + attempt
                  + " times, last with: "
                  + cause(e, wanted)
                  + "; the bytes received are kept, and another attempt resumes there",
              e);
        }
      }
    }
  }

  private void once(DataFile wanted, Path part, Progress progress) throws IOException {
    long have = Files.exists(part) ? Files.size(part) : 0;
    HttpResponse<InputStream> response = ask(URI.create(wanted.address()), have);
    if (response.statusCode() == 416) {
      response.body().close();
      Files.deleteIfExists(part);
      throw new IOException("the server cannot resume from byte " + have);
    }
    boolean goesOn = response.statusCode() == 206 && startsAt(response, have);
    try (Watch watch = new Watch(response.body(), limits.silence())) {
      if (response.statusCode() != 200 && !goesOn) {
        throw new Refused("the server responded with status " + response.statusCode());
      }
      long start = goesOn ? have : 0;
      long left = response.headers().firstValueAsLong("Content-Length").orElse(-1);
      long most = wanted.bytes() + SLACK;
      if (start + left > most) {
        throw new Refused("would be " + (start + left) + " bytes, at most " + most + " expected");
      }
      copy(watch, wanted, part, start, left < 0 ? -1 : start + left, progress);
    }
  }

  private static boolean startsAt(HttpResponse<?> response, long have) {
    return response
        .headers()
        .firstValue("Content-Range")
        .map(range -> range.startsWith("bytes " + have + "-"))
        .orElse(false);
  }

  private static void copy(
      Watch watch, DataFile wanted, Path part, long start, long total, Progress progress)
      throws IOException {
    StandardOpenOption mode =
        start > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
    long done = start;
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out =
        Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode)) {
      for (int got = watch.read(buffer); got >= 0; got = watch.read(buffer)) {
        done += got;
        if (done > wanted.bytes() + SLACK) {
          throw new Refused("sent more than " + (wanted.bytes() + SLACK) + " bytes");
        }
        out.write(buffer, 0, got);
        progress.update(wanted.name(), done, total);
      }
    }
    if (total >= 0 && done < total) {
      throw new IOException("the connection ended after " + done + " of " + total + " bytes");
    }
  }

  /** Asks for the bytes from {@code have} on, and follows redirects. */
  private HttpResponse<InputStream> ask(URI first, long have) throws IOException {
    URI address = first;
    for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(address)
              .timeout(limits.connect())
              .header("Accept-Encoding", "identity");
      if (have > 0) {
        request.header("Range", "bytes=" + have + "-");
      }
      HttpResponse<InputStream> response = send(request.build());
      int status = response.statusCode();
      if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
        return response;
      }
      response.body().close();
      address = follow(address, response.headers().firstValue("Location").orElse(""));
    }
    throw new Refused("redirects more than " + MOST_REDIRECTS + " times");
  }

  /** To https always; to http only from http and on the same machine. */
  private static URI follow(URI from, String location) throws Refused {
    URI to;
    try {
      to = from.resolve(location);
    } catch (IllegalArgumentException e) {
      throw new Refused("redirects to nowhere: " + location);
    }
    boolean plain =
        "http".equals(to.getScheme())
            && "http".equals(from.getScheme())
            && from.getAuthority().equals(to.getAuthority());
    if (location.isEmpty() || !(plain || "https".equals(to.getScheme()))) {
      throw new Refused("redirects to \"" + location + "\", which is not https");
    }
    return to;
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("interrupted");
    }
  }
}
