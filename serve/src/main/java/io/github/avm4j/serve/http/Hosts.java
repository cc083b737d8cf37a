// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests for other host names than the server's. A page of another site whose name leads
 * to this machine (DNS rebinding) reads what the browser's user may read, but its requests bear
 * that site's name.
 */
public final class Hosts extends SimpleDecoratingHttpService {
  /** Takes the place of a host that a request does not name; no host can be called so. */
  public static final String NONE = "none.invalid";

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> allowed;
  private final RefusalLog refusals;

  /**
   * In front of {@code delegate}.
   *
   * @param allowed names without ports, in lower case; empty to allow any
   */
  public Hosts(HttpService delegate, Set<String> allowed, RefusalLog refusals) {
    super(delegate);
    this.allowed = allowed;
    this.refusals = refusals;
  }

  /**
   * The names that a server allows: those that were set; else, on the loopback interface, its own;
   * else any, because it cannot know what it is called.
   */
  public static Set<String> allowed(List<String> set, String address) {
    Set<String> names = new TreeSet<>();
    set.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    if (names.isEmpty() && isLoopback(address)) {
      names.addAll(LOOPBACK);
      names.add(address.toLowerCase(Locale.ROOT));
    }
    return names;
  }

  /** Whether nobody on another machine can connect to an address. */
  public static boolean isLoopback(String address) {
    try {
      return Arrays.stream(InetAddress.getAllByName(address))
          .allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false; // AddressCheck says so
    }
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest req) throws Exception {
    String name = name(req.authority());
    boolean named = !name.isEmpty() && !name.equals(NONE);
    if (named && (allowed.isEmpty() || allowed.contains(name))) {
      return unwrap().serve(ctx, req);
    }
    Problem problem =
        named
            ? Problem.misdirected(
                "requests for this host name are refused; allow it with --allowed-hosts")
            : Problem.badRequest("the request names no host: send the header host");
    refusals.refused(ctx, problem.httpStatus(), problem.text());
    return Reply.of(problem).toResponse();
  }

  /** The host of an authority, without its port. */
  static String name(@Nullable String authority) {
    if (authority == null) {
      return "";
    }
    int end = authority.indexOf(':', authority.indexOf(']') + 1);
    return (end < 0 ? authority : authority.substring(0, end)).toLowerCase(Locale.ROOT);
  }
}
