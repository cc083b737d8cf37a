// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

@AnalyzeClasses(packages = "io.github.avm4j")
class ArchProbeTest {
  @ArchTest
  static void core(JavaClasses classes) {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("..loss..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..testkit..")
        .check(classes);
  }
}
