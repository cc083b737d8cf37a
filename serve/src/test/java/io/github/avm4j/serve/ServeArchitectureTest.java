// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.serve.http.EventLog;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/**
 * Serving sees models, detectors and learners of rows, never what is beneath; the models know
 * nothing of the network. A {@link LabelBudget} is no learner: it counts predictions, and stands
 * beside learners because it can use what they know.
 */
@AnalyzeClasses(
    packages = "io.github.avm4j.serve",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ServeArchitectureTest {
  @ArchTest
  static final ArchRule modelsOnly =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "io.github.avm4j",
                      "io.github.avm4j.learner..",
                      "io.github.avm4j.internal..",
                      "io.github.avm4j.evaluation..",
                      "io.github.avm4j.paper..",
                      "io.github.avm4j.data..",
                      "io.github.avm4j.flink..")
                  .and(not(belongTo(equivalentTo(LabelBudget.class)))));

  @ArchTest
  static final ArchRule modelsAreOffline =
      noClasses()
          .that()
          .resideInAPackage("io.github.avm4j.serve.models")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("com.linecorp..", "io.netty..", "io.github.avm4j.serve.http..")
                  .and(not(belongTo(equivalentTo(EventLog.class)))));

  /** The log is for all of them. */
  @ArchTest
  static final ArchRule roomsApart =
      slices()
          .matching("io.github.avm4j.serve.(*)..")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(alwaysTrue(), belongTo(equivalentTo(EventLog.class)));

  @ArchTest
  static final ArchRule theEntryAndNothingElse =
      noClasses()
          .that()
          .doNotBelongToAnyOf(ServeMain.class, AvmServer.class, Routes.class)
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .resideInAPackage("io.github.avm4j.serve");

  @ArchTest
  static final ArchRule noJavaSerialization =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(ObjectInputStream.class, ObjectOutputStream.class);
}
