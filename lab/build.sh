#!/usr/bin/env bash
# Builds the laboratory against the library as it stands in this tree.
#
#   lab/build.sh [--built | --place | --placed] [MAVEN ARGUMENT...]
#
# Builds the jars that the laboratory needs (--built: takes those that are in the target folders), puts them into target/repository
# (--place: ends there; --placed: they are there), and runs Maven on lab with that as the local repository: -q -DskipTests package, or
# the arguments. Other artifacts are those of AVM_REPOSITORY, the local repository, which is ~/.m2/repository unless set.
# AVM_MAVEN has options for Maven, such as -o.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

modules=(core data follow follow-kafka testkit fixtures baselines moa flink)
repository=target/repository
ours=$repository/io/github/avm4j
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' pom.xml)

# copy FILE ARTIFACT ENDING
copy() {
  mkdir -p "$ours/$2/$version"
  cp "$1" "$ours/$2/$version/$2-$version.$3"
}

# Puts every jar that was built into the repository, where other builds find it.
place() {
  local folder entry link module jar
  rm -rf "$ours"
  mkdir -p "$ours"
  for folder in . io io/github; do
    for entry in "${AVM_REPOSITORY:-$HOME/.m2/repository}/$folder"/*; do
      link=$repository/$folder/${entry##*/}
      if [ -e "$entry" ] && [ ! -e "$link" ]; then ln -sfn "$entry" "$link"; fi
    done
  done
  copy pom.xml avm4j-parent pom
  for jar in */target/avm4j-*-"$version".jar; do
    module=${jar%%/*}
    if [ "$jar" = "$module/target/avm4j-$module-$version.jar" ]; then
      copy "$module/pom.xml" "avm4j-$module" pom
      copy "$jar" "avm4j-$module" jar
    fi
  done
  for module in "${modules[@]}"; do
    [ -d "$ours/avm4j-$module" ] || { echo "$module/target has no jar; run lab/build.sh without --built" >&2; return 1; }
  done
}

case ${1:-} in
  --place)
    place
    exit
    ;;
  --placed) shift ;;
  --built)
    shift
    place
    ;;
  *)
    mvn -q ${AVM_MAVEN:-} -DskipTests -Dfixtures.skip=false package -pl "$(IFS=,; echo "${modules[*]}")" -am
    place
    ;;
esac

if [ $# -eq 0 ]; then set -- -q -DskipTests package; fi
mvn ${AVM_MAVEN:-} -Dmaven.repo.local="$PWD/$repository" -f lab/pom.xml "$@"
