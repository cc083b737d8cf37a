// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The arrows between the packages of core are those of the table in ARCHITECTURE.md. */
@AnalyzeClasses(
    packages = "io.github.avm4j",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.CoreOnly.class})
class ArchitectureTest {
  private static final String ROOT = "io.github.avm4j";

  /** Leaves the testkit out, and data, which a law of the testkit reads with. */
  static final class CoreOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/testkit/") && !location.contains("avm4j/data/");
    }
  }

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  /** Floor and package of a row of the table, whether it is exported, and what it holds. */
  private static final Pattern ROW =
      Pattern.compile("\\| (\\d+) \\| [`(]([\\w.]+)[`)] \\| (yes|no) \\|.*");

  /** The table of ARCHITECTURE.md: the floor of each package, lowest first. */
  private static final Map<String, Integer> FLOORS = floors();

  private static Map<String, Integer> floors() {
    Map<String, Integer> floors = new HashMap<>();
    rows().forEach(row -> floors.put(row.group(2), Integer.parseInt(row.group(1))));
    return floors;
  }

  private static List<Matcher> rows() {
    try {
      return Files.readAllLines(Path.of("..", "ARCHITECTURE.md")).stream()
          .map(ROW::matcher)
          .filter(Matcher::matches)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The table says which packages the module exports; it exports to all or to none. */
  @ArchTest
  static void exports(JavaClasses classes) throws IOException {
    String module = Files.readString(Path.of("..", "core/src/main/java/module-info.java"));
    for (Matcher row : rows()) {
      String name = row.group(2).equals("root") ? ROOT : ROOT + "." + row.group(2);
      boolean all = module.contains("exports " + name + ";");
      assertEquals(row.group(3), all ? "yes" : "no", name);
      assertFalse(module.contains("exports " + name + " to"), name);
    }
  }

  /** Every package sees packages of lower floors only. */
  @ArchTest
  static void floors(JavaClasses classes) {
    for (JavaClass from : classes) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getPackageName();
        if (to.startsWith(ROOT) && !to.equals(from.getPackageName())) {
          assertTrue(floor(to) < floor(from.getPackageName()), dependency.getDescription());
        }
      }
    }
  }

  private static int floor(String name) {
    String shown = name.equals(ROOT) ? "root" : name.substring(ROOT.length() + 1);
    Integer floor = FLOORS.get(shown);
    assertNotNull(floor, "ARCHITECTURE.md has no row for package " + shown);
    return floor;
  }

  /** State is changed by the class that holds it alone. */
  @ArchTest
  static void noPublicMutableField(JavaClasses classes) {
    List<String> fields =
        classes.stream()
            .filter(type -> type.getPackageName().startsWith(ROOT + ".internal."))
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
            .map(JavaField::getFullName)
            .sorted()
            .toList();
    assertEquals(List.of(), fields);
  }

  @ArchTest
  static final ArchRule nothingSeesTheRoot =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT);

  @ArchTest
  static final ArchRule onlyTheJdk =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "..",
              "java.lang..",
              "java.util..",
              "java.nio..",
              "java.io..",
              "java.math..",
              "java.security..",
              "java.time..",
              "jdk.incubator.vector..",
              "org.jspecify.annotations..");

  @ArchTest
  static final ArchRule noJavaSerialization =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(ObjectInputStream.class, ObjectOutputStream.class);

  @ArchTest
  static final ArchRule onlyExceptionsAreSerializable =
      noClasses()
          .that()
          .areNotAssignableTo(Throwable.class)
          .and()
          .areNotEnums()
          .should()
          .beAssignableTo(Serializable.class);

  @ArchTest
  static final ArchRule names =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Common")
          .orShould()
          .haveSimpleNameEndingWith("Impl");
}
