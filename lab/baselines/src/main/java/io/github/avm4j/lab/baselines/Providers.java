// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** What other libraries provide, found at run time. */
final class Providers {
  private Providers() {}

  /** The providers on the class path. One whose library is absent is left out. */
  static <P> List<P> found(Class<P> type) {
    List<P> found = new ArrayList<>();
    Iterator<P> providers = ServiceLoader.load(type).iterator();
    boolean more = true;
    while (more) {
      try {
        more = providers.hasNext();
        if (more) {
          found.add(providers.next());
        }
      } catch (ServiceConfigurationError | LinkageError absent) {
        // The provider's jar is there and its library is not. The iterator goes on with the next.
        more = true;
      }
    }
    return found;
  }
}
