// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The arrows between the packages of core. */
@AnalyzeClasses(
    packages = "io.github.avm4j",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.CoreOnly.class})
class ArchitectureTest {
  private static final String ROOT = "io.github.avm4j";

  /** Leaves the testkit out. */
  static final class CoreOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/testkit/");
    }
  }

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  /** The packages of core, lowest floor first; no package sees another of its floor. */
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("internal.simd", "loss", "approximation", "averaging", "feature"),
          List.of("internal.linear", "kernel", "coverage"),
          List.of("config", "internal.coreset", "theory"),
          List.of("model"),
          List.of("internal.expansion", "internal.contest"),
          List.of("internal.firstorder", "internal.secondorder"),
          List.of("internal.auto"),
          List.of("internal.format"),
          List.of("internal.merge"),
          List.of("learner"),
          List.of("evaluation", "pipeline"));

  /** Every package sees packages of lower floors only. */
  @ArchTest
  static void floors(JavaClasses classes) {
    for (JavaClass from : classes) {
      if (from.getPackageName().equals(ROOT)) {
        continue;
      }
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getPackageName();
        if (to.startsWith(ROOT) && !to.equals(from.getPackageName())) {
          assertTrue(floor(to) < floor(from.getPackageName()), dependency.getDescription());
        }
      }
    }
  }

  /** The first floor of a package is 0, the root is above all. */
  private static int floor(String name) {
    if (name.equals(ROOT)) {
      return FLOORS.size();
    }
    for (int i = 0; i < FLOORS.size(); i++) {
      if (FLOORS.get(i).contains(name.substring(ROOT.length() + 1))) {
        return i;
      }
    }
    throw new AssertionError("package " + name + " has no floor: add it to FLOORS");
  }

  /** What a reader can keep in mind. */
  @ArchTest
  static void smallPackages(JavaClasses classes) {
    Map<String, Long> sizes =
        classes.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    sizes.forEach((name, size) -> assertTrue(size <= 15, name + " has " + size + " classes"));
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
