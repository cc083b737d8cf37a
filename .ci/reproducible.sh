#!/usr/bin/env bash
# Builds the commit twice, in two folders, time zones and languages and as two names of a user, and compares all that is released byte
# by byte: jars, sources, javadoc, archives, Debian package. Takes two builds; tests are skipped. Both have the file mask 022: Maven
# records the modes of files in jars.
#
#   .ci/reproducible.sh [MAVEN_ARGUMENT...]      such as -o
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' pom.xml | head -n 1)

# build FOLDER ZONE LANGUAGE USER MAVEN_ARGUMENT...: prints "checksum file" of what is released.
build() {
  local folder=$1 zone=$2 language=$3 user=$4
  shift 4
  umask 022
  git clone -q . "$folder"
  (
    cd "$folder"
    export TZ=$zone LC_ALL=$language USER=$user LOGNAME=$user MAVEN_OPTS="-Duser.timezone=$zone -Duser.name=$user ${MAVEN_OPTS:-}"
    mvn -B -ntp -q -Prelease -DskipTests -Djacoco.skip=true "$@" package && .ci/dist.sh target/dist && .ci/deb.sh target/dist
  ) >"$folder.log" 2>&1 || { tail -n 40 "$folder.log" >&2; exit 1; }
  (cd "$folder" && find . -path '*/target/*' \( -name "avm4j-*-$version*.jar" -o -name "avm4j-*$version*.tar.gz" -o -name "avm4j-*$version*.zip" -o -name 'avm4j_*.deb' \) \
    -not -path '*/classes/*' -not -path '*/lib/*' -exec sha256sum {} + | sort -k 2)
}
build "$work/one" UTC C builder "$@" >"$work/one.sums"
build "$work/a folder/of another name" Asia/Kathmandu C.UTF-8 somebody "$@" >"$work/two.sums"
if ! diff "$work/one.sums" "$work/two.sums"; then
  echo "the files above differ between two builds of one commit"
  exit 1
fi
echo "$(wc -l <"$work/one.sums") files are equal byte for byte"
