// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the heap that an object keeps alive, by walking its fields: every array and object once,
 * with headers of 16 bytes, references of 4 and sizes rounded up to 8, as a 64-bit JVM lays them
 * out in heaps below 32 GB. It knows nothing of how learners count.
 */
final class RetainedSize {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  private RetainedSize() {}

  static long of(Object root) {
    RetainedSize walk = new RetainedSize();
    walk.meet(root);
    long bytes = 0;
    while (!walk.open.isEmpty()) {
      bytes += walk.visit(walk.open.pop());
    }
    return bytes;
  }

  private void meet(@Nullable Object object) {
    boolean shared = object == null || object instanceof Class<?> || object instanceof Enum<?>;
    if (!shared && seen.add(object)) {
      open.push(object);
    }
  }

  private long visit(Object object) {
    Class<?> type = object.getClass();
    if (type.isArray()) {
      int length = Array.getLength(object);
      if (object instanceof Object[] elements) {
        for (Object element : elements) {
          meet(element);
        }
      }
      return rounded(16 + (long) length * bytes(type.getComponentType()));
    }
    if (object instanceof Collection<?> collection) {
      collection.forEach(this::meet);
      return rounded(48 + 4L * collection.size());
    }
    if (type.getName().startsWith("java.")) {
      return 24;
    }
    return rounded(16 + fields(object, type));
  }

  private long fields(Object object, @Nullable Class<?> type) {
    long bytes = 0;
    for (; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          bytes += bytes(field.getType());
          if (!field.getType().isPrimitive()) {
            meet(value(field, object));
          }
        }
      }
    }
    return bytes;
  }

  private static @Nullable Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(field.toString(), e);
    }
  }

  private static int bytes(Class<?> type) {
    if (type == long.class || type == double.class) {
      return 8;
    }
    if (type == boolean.class || type == byte.class) {
      return 1;
    }
    return type == char.class || type == short.class ? 2 : 4;
  }

  private static long rounded(long bytes) {
    return (bytes + 7) & -8;
  }
}
