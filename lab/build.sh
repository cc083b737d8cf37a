#!/usr/bin/env bash
# Builds the laboratory against the library as it stands in this tree.
#
#   lab/build.sh [--built] [MAVEN ARGUMENT...]
#
# Builds the jars that the laboratory needs (--built: takes those that are in the target folders), puts them into target/repository, and
# runs Maven on lab with that as the local repository: -q -DskipTests package, or the arguments. Other artifacts are those of
# AVM_REPOSITORY, the local repository, which is ~/.m2/repository unless set.
# AVM_MAVEN has options for Maven, such as -o.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

modules=(core data follow follow-kafka testkit fixtures baselines moa flink)
if [ "${1:-}" = --built ]; then
  shift
else
  mvn -q ${AVM_MAVEN:-} -DskipTests -Dfixtures.skip=false package -pl "$(IFS=,; echo "${modules[*]}")" -am
fi

repository=target/repository
ours=$repository/io/github/avm4j
rm -rf "$ours"
mkdir -p "$ours"
for folder in . io io/github; do
  for entry in "${AVM_REPOSITORY:-$HOME/.m2/repository}/$folder"/*; do
    link=$repository/$folder/${entry##*/}
    if [ -e "$entry" ] && [ ! -e "$link" ]; then ln -sfn "$entry" "$link"; fi
  done
done

version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml)
# place FILE ARTIFACT ENDING
place() {
  mkdir -p "$ours/$2/$version"
  cp "$1" "$ours/$2/$version/$2-$version.$3"
}
place pom.xml avm4j-parent pom
for module in "${modules[@]}"; do
  place "$module/pom.xml" "avm4j-$module" pom
  place "$module/target/avm4j-$module-$version.jar" "avm4j-$module" jar
done

if [ $# -eq 0 ]; then set -- -q -DskipTests package; fi
mvn ${AVM_MAVEN:-} -Dmaven.repo.local="$PWD/$repository" -f lab/pom.xml "$@"
