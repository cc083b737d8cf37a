// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.regex.Pattern;

/** Error messages for gRPC clients: never the name of a class or a stack trace. */
public final class GrpcErrors implements GrpcExceptionHandlerFunction {
  /** The library names its own classes in some of its words. */
  private static final Pattern CLASS = Pattern.compile("\\b[a-z]+(\\.[a-z]+)+\\.[A-Z]");

  /** Without state. */
  public GrpcErrors() {}

  @Override
  public Status apply(RequestContext ctx, Status status, Throwable cause, Metadata metadata) {
    boolean said = cause instanceof StatusRuntimeException || cause instanceof StatusException;
    String description = status.getDescription();
    if (said && (description == null || !CLASS.matcher(description).find())) {
      return status;
    }
    if (cause instanceof Problem problem) {
      return problem.grpcStatus();
    }
    return Status.fromCode(status.getCode()).withDescription(words(status.getCode()));
  }

  private static String words(Status.Code code) {
    return switch (code) {
      case UNIMPLEMENTED -> "there is no such method";
      case RESOURCE_EXHAUSTED -> "the message is larger than allowed, or there is no room for it";
      case DEADLINE_EXCEEDED -> "the request took too long";
      case CANCELLED -> "the request was cancelled";
      case INVALID_ARGUMENT -> "the message cannot be read";
      default -> "the message cannot be read, or the server failed; see its log";
    };
  }
}
