// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Log of events, one JSON object per line: {@code time}, {@code level}, {@code event} and the
 * fields of the event. Thread-safe.
 */
public final class EventLog {
  private static final JsonFactory JSON = new JsonFactory();

  private final PrintStream out;
  private final Clock clock;

  /** Writes to {@code out} with the times of {@code clock}. */
  public EventLog(PrintStream out, Clock clock) {
    this.out = out;
    this.clock = clock;
  }

  /**
   * Logs an event of normal operation; {@code about} holds names and values in turn: numbers,
   * flags, and all else as text.
   */
  public void info(String event, Object... about) {
    write("info", event, about);
  }

  /** Logs an event that an operator should look at. */
  public void warn(String event, Object... about) {
    write("warn", event, about);
  }

  private void write(String level, String event, Object... about) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", clock.instant().toString());
      json.writeStringField("level", level);
      json.writeStringField("event", event);
      for (int k = 0; k + 1 < about.length; k += 2) {
        json.writeFieldName(String.valueOf(about[k]));
        Object value = about[k + 1];
        if (value instanceof Number number) {
          json.writeNumber(number.toString());
        } else if (value instanceof Boolean flag) {
          json.writeBoolean(flag);
        } else {
          json.writeString(String.valueOf(value));
        }
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  /** Warns of every HTTP/2 connection that its client has broken; strangers break thousands. */
  private static final Logger CONNECTIONS =
      Logger.getLogger("com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler");

  /** Logs the warnings and errors of Armeria, Netty and Kafka (java.util.logging). */
  public void adoptLibraries() {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    root.addHandler(new Lines());
    CONNECTIONS.setLevel(Level.SEVERE);
  }

  private final class Lines extends Handler {
    private final SimpleFormatter formatter = new SimpleFormatter();

    @Override
    public void publish(LogRecord record) {
      if (isLoggable(record)) {
        Throwable thrown = record.getThrown();
        warn(
            "library",
            "logger",
            record.getLoggerName(),
            "message",
            formatter.formatMessage(record) + (thrown == null ? "" : ": " + thrown));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
