// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is done when something else is; for those who look at both outcomes themselves. */
public final class Futures {
  private Futures() {}

  /** Hands value or failure to {@code next}, which must not throw: nobody would hear of it. */
  public static <T> void then(
      CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> next) {
    @SuppressWarnings("unused")
    CompletionStage<T> ignored = stage.whenComplete(next);
  }
}
