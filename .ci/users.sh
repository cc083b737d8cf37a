#!/usr/bin/env bash
# Builds and runs projects of users from the staged bundle alone: .ci/users.sh STAGED (the folder of .ci/stage.sh)
#
# Java on the class path and on the module path, and Kotlin, with Maven; Java with Gradle, if there is one. Each begins with an empty
# local repository. Artifacts of avm4j come from the bundle, which is checked; others from AVM_REPOSITORY, a folder in
# Maven's layout (else ~/.m2/repository, where the project's own build has left them).
set -euo pipefail
staged=$(cd "${1:?name the folder of .ci/stage.sh}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sources=$PWD
others=${AVM_REPOSITORY:-$HOME/.m2/repository}
version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' pom.xml | head -n 1)
# property NAME: a version of the parent, so that this needs no plugin that the build has not fetched.
property() { sed -n "s:.*<$1>\(.*\)</$1>.*:\1:p" "$sources/pom.xml"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/settings.xml" <<EOF
<settings>
  <localRepository>$work/repository</localRepository>
  <mirrors>
    <mirror><id>others</id><mirrorOf>*,!staged</mirrorOf><url>file://$others</url></mirror>
  </mirrors>
</settings>
EOF

# project NAME DEPENDENCIES PLUGINS: a POM, as a user would write it.
project() {
  mkdir -p "$work/$1/src/main/java"
  cat >"$work/$1/pom.xml" <<EOF
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>user</groupId><artifactId>$1</artifactId><version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository><id>staged</id><url>file://$staged</url><snapshots><checksumPolicy>fail</checksumPolicy></snapshots><releases><checksumPolicy>fail</checksumPolicy></releases></repository>
  </repositories>
  <dependencyManagement><dependencies>
    <dependency><groupId>io.github.avm4j</groupId><artifactId>avm4j-bom</artifactId><version>$version</version><type>pom</type><scope>import</scope></dependency>
  </dependencies></dependencyManagement>
  <dependencies>$2</dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>$(property compiler.plugin.version)</version></plugin>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>$(property resources.plugin.version)</version></plugin>
    <plugin><artifactId>maven-dependency-plugin</artifactId><version>$(property dependency.plugin.version)</version>
      <executions><execution><phase>compile</phase><goals><goal>build-classpath</goal></goals>
        <configuration><outputFile>target/libraries</outputFile></configuration></execution></executions></plugin>
    $3
  </plugins></build>
</project>
EOF
}

# of NAME...: dependencies on modules of avm4j, whose versions the bill of materials gives.
of() {
  local name
  for name in "$@"; do printf '<dependency><groupId>io.github.avm4j</groupId><artifactId>avm4j-%s</artifactId></dependency>' "$name"; done
}

# readme CLASS [PACKAGE]: the first Java block of README.md as a program.
readme() {
  awk -v name="$1" -v package="${2:-}" '
    /^```java/ && !seen { inside = seen = 1; next }
    /^```/ && inside { inside = 0 }
    inside && /^import / { imports = imports $0 "\n"; next }
    inside { body = body "    " $0 "\n" }
    END { if (package) print "package " package ";"; printf "%s\npublic class %s {\n  public static void main(String[] args) {\n%s  }\n}\n", imports, name, body }' "$sources/README.md"
}

# compile NAME: by Maven, offline in all but name; avm4j must have come from the bundle.
compile() {
  (cd "$work/$1" && mvn -B -ntp -q -s "$work/settings.xml" compile) || { echo "$1: does not compile" >&2; exit 1; }
  local found
  found=$(find "$work/repository/io/github/avm4j" -name _remote.repositories -exec grep -hE '\.(jar|pom)>' {} + | grep -v '>staged=' || true)
  [ -z "$found" ] || { echo "$1: not from the bundle: $found" >&2; exit 1; }
}

# expect NAME PATTERN COMMAND...
expect() {
  local name=$1 pattern=$2 said
  shift 2
  said=$("$@" 2>&1) || { echo "$name: $said" >&2; exit 1; }
  grep -qE "$pattern" <<<"$said" || { echo "$name printed '$said', expected $pattern" >&2; exit 1; }
  echo "   $name: $(grep -E "$pattern" <<<"$said" | head -n 1)"
}

project java "$(of core data)" ""
readme Start >"$work/java/src/main/java/Start.java"
compile java
expect "Maven, Java, class path" '[0-9.]+ % mistakes, [0-9]+ core points' \
  java -cp "$work/java/target/classes:$(cat "$work/java/target/libraries")" Start

project module "$(of core export)" ""
mkdir -p "$work/module/src/main/java/user"
readme Start user >"$work/module/src/main/java/user/Start.java"
echo 'module user { requires io.github.avm4j.core; requires io.github.avm4j.export; }' >"$work/module/src/main/java/module-info.java"
compile module
expect "Maven, Java, module path" '[0-9.]+ % mistakes, [0-9]+ core points' \
  java -p "$work/module/target/classes:$(cat "$work/module/target/libraries")" -m user/user.Start

kotlin=$(property kotlin.version)
project kotlin "$(of core)<dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-stdlib</artifactId><version>$kotlin</version></dependency>" \
  "<plugin><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>$kotlin</version>
     <executions><execution><phase>process-sources</phase><goals><goal>compile</goal></goals>
       <configuration><jvmTarget>17</jvmTarget><sourceDirs><sourceDir>src/main/kotlin</sourceDir></sourceDirs></configuration></execution></executions></plugin>"
sed -i 's:<properties>:<properties><kotlin.compiler.daemon>false</kotlin.compiler.daemon>:' "$work/kotlin/pom.xml"
mkdir -p "$work/kotlin/src/main/kotlin"
cp examples/src/main/kotlin/io/github/avm4j/examples/Slope.kt "$work/kotlin/src/main/kotlin/"
compile kotlin
expect "Maven, Kotlin" 'mean miss: 0[.,]0[0-9]+' \
  java -cp "$work/kotlin/target/classes:$(cat "$work/kotlin/target/libraries")" io.github.avm4j.examples.SlopeKt

# Gradle compiles and stores the class path that it found; the words are those that Gradle 4 and later versions know.
if command -v gradle >/dev/null; then
  mkdir -p "$work/gradle/src/main/java"
  readme Start >"$work/gradle/src/main/java/Start.java"
  echo "rootProject.name = 'gradle'" >"$work/gradle/settings.gradle"
  cat >"$work/gradle/build.gradle" <<EOF
apply plugin: 'java'
repositories {
  maven { url = uri('file://$staged') }
  maven { url = uri('file://$others') }
}
dependencies {
  implementation 'io.github.avm4j:avm4j-core:$version'
  implementation 'io.github.avm4j:avm4j-data:$version'
}
task path {
  dependsOn 'classes'
  def found = sourceSets.main.runtimeClasspath
  doLast { new File('$work/gradle/path').text = found.asPath }
}
EOF
  gradle -q --offline --no-daemon -g "$work/gradle-home" -p "$work/gradle" path ||
    { echo "Gradle's project does not compile" >&2; exit 1; }
  found=$(tr ':' '\n' <"$work/gradle/path" | grep '/avm4j-[^/]*\.jar$' | grep -cF "$staged/" || true)
  [ "$found" -eq 2 ] || { echo "Gradle did not take avm4j from the bundle: $(cat "$work/gradle/path")" >&2; exit 1; }
  expect "$(gradle --version | grep '^Gradle '), Java, class path" '[0-9.]+ % mistakes, [0-9]+ core points' \
    java -cp "$(cat "$work/gradle/path")" Start
else
  echo "   NOT RUN, for want of gradle: a project of Gradle"
fi
