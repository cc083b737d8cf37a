// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Where a download may be sent on to, and where not. */
class RedirectTest extends Loopback {
  @Test
  void redirects() throws Exception {
    serve("/ok", x -> send(x, 200, CONTENT));
    redirect("/here", "/ok");
    assertArrayEquals(CONTENT, Files.readAllBytes(get("/here")));
    Files.delete(folder.resolve("cache/s/s"));
    redirect("/elsewhere", "http://example.invalid/x");
    refuses("/elsewhere", "not https");
    redirect("/file", "file:///etc/passwd");
    refuses("/file", "not https");
    redirect("/round", "/round");
    refuses("/round", "more than 5 times");
    redirect("/nowhere", "http://[");
    refuses("/nowhere", "redirects to nowhere");
  }

  private void redirect(String from, String to) {
    serve(
        from,
        x -> {
          x.getResponseHeaders().set("Location", to);
          send(x, 302, new byte[0]);
        });
  }
}
