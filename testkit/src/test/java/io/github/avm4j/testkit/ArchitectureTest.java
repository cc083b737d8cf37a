// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** The arrows between the packages of core. */
@AnalyzeClasses(
    packages = "io.github.avm4j",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.CoreOnly.class})
class ArchitectureTest {
  private static final String ROOT = "io.github.avm4j";
  private static final String JAVA = "java..";

  /** Leaves the testkit out. */
  static final class CoreOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/testkit/");
    }
  }

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule simd = sees("internal.simd");
  @ArchTest static final ArchRule linear = sees("internal.linear", "internal.simd");
  @ArchTest static final ArchRule loss = sees("loss");
  @ArchTest static final ArchRule approximation = sees("approximation");
  @ArchTest static final ArchRule averaging = sees("averaging");
  @ArchTest static final ArchRule feature = sees("feature");
  @ArchTest static final ArchRule kernel = sees("kernel", "internal.simd");

  @ArchTest static final ArchRule coreset = sees("coreset", "feature", "kernel", "internal.simd");

  @ArchTest static final ArchRule coverage = sees("coverage", "feature", "coreset");

  @ArchTest
  static final ArchRule solver =
      sees("solver", "averaging", "coreset", "feature", "internal.simd", "kernel");

  @ArchTest
  static final ArchRule config =
      sees("config", "approximation", "averaging", "coverage", "feature", "kernel", "loss");

  @ArchTest static final ArchRule theory = sees("theory", "kernel", "loss", "approximation");

  @ArchTest
  static final ArchRule model =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".model")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT, ROOT + ".learner", ROOT + ".solver", ROOT + ".pipeline", ROOT + ".merge");

  @ArchTest
  static final ArchRule learner =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".learner")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT, ROOT + ".pipeline", ROOT + ".evaluation", ROOT + ".theory", ROOT + ".merge");

  @ArchTest
  static final ArchRule merge =
      sees(
          "merge",
          "learner",
          "model",
          "coreset",
          "coverage",
          "kernel",
          "solver",
          "config",
          "feature");

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

  /** The package may see itself, the named ones and the JDK; nothing else of ours. */
  private static ArchRule sees(String name, String... others) {
    String[] allowed = new String[others.length + 4];
    allowed[0] = ROOT + "." + name;
    allowed[1] = JAVA;
    allowed[2] = "jdk.incubator.vector..";
    allowed[3] = "org.jspecify.annotations..";
    for (int i = 0; i < others.length; i++) {
      allowed[i + 4] = ROOT + "." + others[i];
    }
    return classes()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }
}
