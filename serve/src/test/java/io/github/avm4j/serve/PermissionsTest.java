// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.linecorp.armeria.server.ServiceConfig;
import io.github.avm4j.serve.http.Permission;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route, called with no token, a wrong one, and one for each permission. */
class PermissionsTest {
  private static final String WRONG = "Bearer nobody-has-this-token";

  /** Routes as Armeria names them, by method and path, with the one permission each needs. */
  private static final Map<String, Permission> ROUTES = new TreeMap<>();

  static {
    ROUTES.put("GET /v2/health/live", Permission.HEALTH);
    ROUTES.put("GET /v2/health/ready", Permission.HEALTH);
    ROUTES.put("GET /v2", Permission.PREDICT);
    for (String path : new String[] {"/v2/models/:name", "/v2/models/:name/versions/:version"}) {
      ROUTES.put("GET " + path, Permission.PREDICT);
      ROUTES.put("GET " + path + "/ready", Permission.PREDICT);
      ROUTES.put("POST " + path + "/infer", Permission.PREDICT);
    }
    ROUTES.put("POST /v1/predict", Permission.PREDICT);
    ROUTES.put("POST /v1/detect", Permission.PREDICT);
    ROUTES.put("POST /v1/explain", Permission.EXPLAIN);
    ROUTES.put("POST /v1/feedback", Permission.LEARN);
    ROUTES.put("POST /v1/detect/feedback", Permission.LEARN);
    ROUTES.put("POST /v1/label", Permission.LEARN);
    ROUTES.put("POST /v1/learn", Permission.LEARN);
    ROUTES.put("POST /v1/models/:name/version", Permission.OPERATE);
    ROUTES.put("GET /v1/models", Permission.INSPECT);
    ROUTES.put("GET /metrics", Permission.METRICS);
    for (String path : new String[] {"/", "/page.css", "/page.js", "/try.js"}) {
      ROUTES.put("GET " + path, Permission.INSPECT);
    }
  }

  @TempDir Path folder;

  private final Map<Permission, String> tokens = new EnumMap<>(Permission.class);

  private RunningServer serve(String... flags) throws Exception {
    StringBuilder file = new StringBuilder();
    for (Permission one : Permission.values()) {
      tokens.put(one, "token-for-" + one.word() + "-0123456789");
      file.append(one.word()).append(' ').append(tokens.get(one)).append(' ');
      file.append(one.word()).append('\n');
    }
    Path written = Files.writeString(folder.resolve("tokens"), file);
    Path models = Files.createDirectories(folder.resolve("models"));
    RunningServer.put(models, "m-1.avm", TestModels.people(1));
    String[] all = new String[flags.length + 2];
    System.arraycopy(flags, 0, all, 2, flags.length);
    all[0] = "--token-file=" + written;
    all[1] = "--learn=" + folder.resolve("taught");
    return new RunningServer(models, all);
  }

  private static HttpResponse<String> call(RunningServer server, String route, String... headers)
      throws Exception {
    String path = route.substring(route.indexOf(' ') + 1);
    path = path.replace(":name", "m").replace(":version", "1");
    return route.startsWith("GET ")
        ? server.get(path, headers)
        : server.post(path, "{\"unknown\": 1}", headers);
  }

  private static void assertPasses(RunningServer server, String route, String... headers)
      throws Exception {
    HttpResponse<String> reply = call(server, route, headers);
    assertFalse(
        reply.statusCode() == 401 || reply.statusCode() == 403,
        () -> route + ": " + reply.statusCode() + " " + reply.body());
  }

  private static void assertClosed(
      int status, RunningServer server, String route, String... headers) throws Exception {
    HttpResponse<String> reply = call(server, route, headers);
    assertEquals(status, reply.statusCode(), () -> route + ": " + reply.body());
    assertFalse(reply.body().contains("cook"), reply::body);
  }

  @Test
  void everyRouteNeedsItsOnePermission() throws Exception {
    try (RunningServer server = serve("--open=health")) {
      assertEquals(ROUTES.keySet(), bound(server), "each route has a line here");
      for (Map.Entry<String, Permission> entry : ROUTES.entrySet()) {
        String route = entry.getKey();
        if (entry.getValue() == Permission.HEALTH) {
          assertPasses(server, route);
          continue;
        }
        assertClosed(401, server, route);
        assertClosed(401, server, route, "authorization", WRONG);
        for (Permission one : Permission.values()) {
          String bearer = "Bearer " + tokens.get(one);
          if (one == entry.getValue()) {
            assertPasses(server, route, "authorization", bearer);
          } else {
            assertClosed(403, server, route, "authorization", bearer);
          }
        }
      }
    }
  }

  @Test
  void healthIsClosedWhereItIsNotOpen() throws Exception {
    try (RunningServer server = serve("--open=predict")) {
      assertClosed(401, server, "GET /v2/health/live");
      assertPasses(
          server,
          "GET /v2/health/live",
          "authorization",
          "Bearer " + tokens.get(Permission.HEALTH));
      assertPasses(server, "POST /v1/predict");
      assertPasses(server, "GET /v2/models/:name", "authorization", "Basic b2Y6YS1wcm94eQ==");
    }
  }

  /** What a parameter asks for more needs its own permission. */
  @Test
  void learningAndExplainingInPassingNeedTheirPermissions() throws Exception {
    try (RunningServer server = serve()) {
      assertClosed(401, server, "POST /v1/detect?learn=true");
      String bearer = "Bearer " + tokens.get(Permission.PREDICT);
      assertClosed(403, server, "POST /v1/detect?learn=true", "authorization", bearer);
    }
  }

  @Test
  void withoutTokensOnlyWhatIsOpenPasses() throws Exception {
    try (RunningServer server = serve("--token-file=", "--open=health,predict")) {
      for (Map.Entry<String, Permission> entry : ROUTES.entrySet()) {
        Permission permission = entry.getValue();
        if (permission == Permission.HEALTH || permission == Permission.PREDICT) {
          assertPasses(server, entry.getKey());
        } else {
          assertClosed(403, server, entry.getKey());
          assertClosed(403, server, entry.getKey(), "authorization", WRONG);
        }
      }
    }
  }

  private static Set<String> bound(RunningServer server) {
    Set<String> bound = new TreeSet<>();
    for (ServiceConfig config : server.server().routes()) {
      bound.add(config.route().methods().iterator().next() + " " + config.route().patternString());
    }
    return bound;
  }
}
