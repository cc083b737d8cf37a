// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Keeps what it gets in this process.
 *
 * @param <T> what it gets
 */
public final class CollectSink<T> implements Sink<T> {
  private static final long serialVersionUID = 1;
  private static final Map<String, List<Object>> ALL = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();

  /** An empty one. */
  public CollectSink() {
    ALL.put(id, new ArrayList<>());
  }

  /** A copy of all so far, in the order of arrival. */
  @SuppressWarnings("unchecked")
  public List<T> values() {
    List<Object> mine = ALL.get(id);
    synchronized (mine) {
      return (List<T>) List.copyOf(mine);
    }
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    List<Object> mine = ALL.get(id);
    return new SinkWriter<>() {
      @Override
      public void write(T value, Context inner) {
        synchronized (mine) {
          mine.add(value);
        }
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
