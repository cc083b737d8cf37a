// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.avm4j.loss.Probe;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KitTest {
  @Test
  void probe() {
    Kit.check(4, Probe.probe(2, 1));
  }

  @Nested
  class Inner {
    @Test
    void probe() {
      Kit.check(6, Probe.probe(2, 3));
    }
  }

  @AnalyzeClasses(packages = "io.github.avm4j")
  static class Arch {
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
}
