// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Web page at {@code /}: four files of this jar, without external resources. */
public final class Page {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private Page() {}

  /** Binds its files. */
  public static void bind(ServerBuilder builder, Endpoint.Surroundings around) {
    file(builder, around, "/", "index.html", MediaType.HTML_UTF_8);
    file(builder, around, "/page.css", "page.css", MediaType.CSS_UTF_8);
    file(builder, around, "/try.js", "try.js", MediaType.JAVASCRIPT_UTF_8);
    file(builder, around, "/page.js", "page.js", MediaType.JAVASCRIPT_UTF_8);
  }

  private static void file(
      ServerBuilder builder,
      Endpoint.Surroundings around,
      String path,
      String name,
      MediaType type) {
    Reply reply =
        new Reply(
            ResponseHeaders.builder(HttpStatus.OK)
                .contentType(type)
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
                .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                .build(),
            read(name));
    Endpoint.Immediate same = call -> reply;
    builder.route().get(path).build(new Endpoint("page", Permission.INSPECT, around, same));
  }

  private static byte[] read(String name) {
    try (InputStream in = Page.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("page/" + name + " is not in this jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
