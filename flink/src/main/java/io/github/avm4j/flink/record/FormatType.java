// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Flink's type information for a class with a {@link WireFormat}; not a key, no fields.
 *
 * @param <T> the values
 */
final class FormatType<T> extends TypeInformation<T> {
  private static final long serialVersionUID = 1;

  private final Class<T> valueClass;
  private final WireFormat<T> serializer;

  FormatType(Class<T> valueClass, WireFormat<T> serializer) {
    this.valueClass = valueClass;
    this.serializer = serializer;
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return valueClass;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer;
  }

  @Override
  public String toString() {
    return valueClass.getSimpleName();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof FormatType;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FormatType<?> type
        && type.valueClass == valueClass
        && type.serializer.equals(serializer);
  }

  @Override
  public int hashCode() {
    return valueClass.hashCode();
  }
}
