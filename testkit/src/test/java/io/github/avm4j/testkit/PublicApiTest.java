// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The public API of core is what {@code api.txt} says, so that a change of it is seen in review.
 * {@code -Davm4j.update=true} writes the file anew.
 */
class PublicApiTest {
  private static final Path FILE = Path.of("src/test/resources/api.txt");
  private static final Path CLASSES = Path.of("..", "core", "target", "classes");
  private static final String INTERNAL = "io.github.avm4j.internal";

  @Test
  void isTheOneOfTheFile() throws IOException {
    JavaClasses classes = new ClassFileImporter().importPath(CLASSES);
    String api =
        classes.stream()
            .filter(type -> !type.getPackageName().startsWith(INTERNAL))
            .filter(PublicApiTest::isVisible)
            .sorted(Comparator.comparing(JavaClass::getName))
            .map(type -> lines(type.reflect()))
            .collect(Collectors.joining("\n"));
    if (Boolean.getBoolean("avm4j.update")) {
      Files.writeString(FILE, api);
    }
    assertEquals(
        Files.readString(FILE),
        api,
        "the public API has changed: if that is meant, run this test with -Davm4j.update=true");
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
  }

  private static String lines(Class<?> type) {
    TreeSet<String> members = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (isPublic(field.getModifiers()) && !field.isSynthetic()) {
        members.add(
            modifiers(field.getModifiers()) + name(field.getGenericType()) + field.getName());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isPublic(constructor.getModifiers())) {
        members.add("new" + parameters(constructor));
      }
    }
    // Methods that a class inherits from one that is not public are its own to a user.
    for (Method method : type.getMethods()) {
      boolean hidden = !isPublic(method.getDeclaringClass().getModifiers());
      if ((method.getDeclaringClass() == type || hidden) && !method.isSynthetic()) {
        String result = name(method.getGenericReturnType());
        members.add(
            modifiers(method.getModifiers()) + result + method.getName() + parameters(method));
      }
    }
    String kind =
        type.isInterface()
            ? "interface "
            : type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ";
    return members.stream()
        .map(member -> "  " + member + "\n")
        .collect(Collectors.joining("", kind + type.getName() + "\n", ""));
  }

  private static boolean isPublic(int modifiers) {
    return Modifier.isPublic(modifiers);
  }

  private static String modifiers(int modifiers) {
    return Modifier.isStatic(modifiers) ? "static " : "";
  }

  private static String name(Type type) {
    return type.getTypeName().replaceAll("\\b(java\\.lang|java\\.util)\\.(?=[A-Z])", "") + " ";
  }

  private static String parameters(Executable executable) {
    List<String> names =
        Arrays.stream(executable.getGenericParameterTypes())
            .map(type -> name(type).strip())
            .toList();
    return "(" + String.join(", ", names) + ")";
  }
}
