// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Continuations of futures that handle success and failure themselves. */
public final class Futures {
  private Futures() {}

  /** Hands value or failure to {@code next}, which must not throw: the exception would be lost. */
  public static <T> void then(
      CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> next) {
    @SuppressWarnings("unused")
    CompletionStage<T> ignored = stage.whenComplete(next);
  }
}
