#!/usr/bin/env bash
# Makes the archives of avm that need no Java on the machine: the distribution in cli/target/avm, a Java runtime of the
# modules it uses (jlink), and class archives of that Java, as tar.gz and zip for this system.
#
#   .ci/dist.sh FOLDER          wants mvn -DskipTests package before
#
# AVM_JDK names the JDK whose parts are taken, 25 or later: before, Java refuses a class archive whose jars were moved.
# Without it, the newest of /usr/lib/jvm. AVM_DIST_CHECK=jdeps asks jdeps whether the list of modules is complete.
# AVM_DIST_FORMATS="tar.gz" leaves the zip out.
set -euo pipefail
folder=${1:?name a folder for the archives}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C TZ=UTC
umask 022

# What jdeps finds in lib, lib/serve and the stream add-on, except debuggers (jdk.jdi, jdk.attach of themselves) and
# SCTP; and what is found by name only: zip file systems, Kerberos for Kafka, and jcmd, with which operators look inside.
modules=java.base,java.desktop,java.instrument,java.management,java.management.rmi,java.naming,java.net.http
modules+=,java.scripting,java.security.jgss,java.security.sasl,java.sql,jdk.httpserver,jdk.incubator.vector,jdk.jcmd
modules+=,jdk.jfr,jdk.management,jdk.net,jdk.security.auth,jdk.security.jgss,jdk.unsupported,jdk.zipfs

version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' pom.xml | head -n 1)
stamp=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.*:\1:p' pom.xml)
epoch=$(python3 -c 'import datetime as d, sys; print(int(d.datetime.fromisoformat(sys.argv[1].replace("Z", "+00:00")).timestamp()))' "$stamp")
[ -d cli/target/avm/lib ] || { echo "cli/target/avm is missing; run mvn -q -DskipTests package first" >&2; exit 1; }

jdk=${AVM_JDK:-}
if [ -z "$jdk" ]; then
  jdk=$(for home in /usr/lib/jvm/*; do
    if [ ! -L "$home" ] && [ -x "$home/bin/jlink" ]; then echo "$("$home/bin/jlink" --version 2>/dev/null) $home"; fi
  done | sort -V | tail -n 1 | cut -d' ' -f2-)
fi
[ -n "$jdk" ] && [ -x "$jdk/bin/jlink" ] || { echo "no JDK with jlink found; set AVM_JDK to a JDK 25 or later" >&2; exit 1; }
major=$("$jdk/bin/jlink" --version | sed 's/[^0-9].*//')
[ "$major" -ge 25 ] || { echo "$jdk is Java $major; set AVM_JDK to a JDK 25 or later" >&2; exit 1; }

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) system=windows ;;
esac
case $(uname -m) in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) processor=$(uname -m) ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# needed JARS: the modules that jdeps finds in a folder's jars and that the list has not.
needed() {
  local found
  found=$("$jdk/bin/jdeps" --multi-release "$major" --ignore-missing-deps --print-module-deps --class-path "$1/*" "$1"/*.jar |
    tail -n 1 | tr ',' '\n' | grep -vE '^jdk\.(jdi|attach|sctp)$' | grep -vxFf <(tr ',' '\n' <<<"$modules") || true)
  test -z "$found" || { echo "the runtime lacks what $1 needs:" $found >&2; return 1; }
}
if [ "${AVM_DIST_CHECK:-}" = jdeps ]; then
  needed cli/target/avm/lib
  needed cli/target/avm/lib/serve
  needed "$(echo flink/target/avm4j-stream-*/stream/lib)"
fi

name=avm4j-$version-$system-$processor
home=$work/$name
cp -R cli/target/avm "$home"
"$jdk/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
  --dedup-legal-notices=error-if-not-same-content --compress zip-6 --output "$home/runtime" >"$work/jlink.log" 2>&1 ||
  { cat "$work/jlink.log" >&2; exit 1; }
printf '\nThe folder `runtime` is OpenJDK, under the GPL-2.0 with the Classpath exception; its notices are in `runtime/legal`.\n' >>"$home/THIRD-PARTY.md"
python3 .ci/dist.py sbom "$home" "$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/runtime/release")"
# Java compares the jars with those of its class archive by size and time.
python3 .ci/dist.py times "$home" "$epoch"

# The classes that some small runs load, sorted: names and lambdas only, because ids and the constants that were resolved (@cp)
# differ from run to run. What is about picocli's lambdas would make Java leave its classes out, which are of an old version. None of
# XZ's and JTS': their jars are sealed, and Java refuses to load the rest of a sealed package when some of it came from a class archive.
# Nor Compression, whose verification would bring XZ's.
java=$home/runtime/bin/java
jar=$(echo "$home"/lib/avm4j-cli-*.jar)
allowed='--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow'
vector=--add-exports=java.base/jdk.internal.module=ALL-UNNAMED
# load AVM_ARGUMENT...
load() {
  runs=$((runs + 1))
  # shellcheck disable=SC2086
  (cd "$work" && "$java" -Xshare:off -XX:TieredStopAtLevel=1 -XX:DumpLoadedClassList="$work/$runs.list" $allowed $vector \
    -cp "$jar" io.github.avm4j.cli.Main "$@" >"$work/load.log" 2>&1) || { cat "$work/load.log" >&2; exit 1; }
}
runs=0
python3 .ci/dist.py rows >"$work/rows.csv"
load --help
load train rows.csv -m rows.avm
load evaluate rows.csv
load predict rows.avm rows.csv -o predictions.csv
load inspect rows.avm
cat "$work"/*.list | sed -e '/^#/d' -e 's/ id: [0-9]*$//' -e '/source:/d' -e '/^@cp /d' -e '/^@.*picocli/d' -e '/org\/tukaani/d' -e '/org\/locationtech/d' -e '/avm4j\/data\/Compression/d' | sort -u >"$work/classes"
# The same bytes each time, for which Java's own test of that wants a heap of one size and no compiler. The path of the jar is
# relative, because Java stores it.
# shellcheck disable=SC2086
(cd "$home" && runtime/bin/java -Xint -Xms128m -Xmx128m -Xmn120m -Xshare:dump -XX:SharedClassListFile="$work/classes" \
  -XX:SharedArchiveFile=runtime/lib/avm.jsa $allowed $vector -cp "lib/${jar##*/}" >"$work/dump.log" 2>&1 && [ -s runtime/lib/avm.jsa ]) ||
  { cat "$work/dump.log" >&2; exit 1; }

python3 .ci/dist.py times "$home" "$epoch"
# shellcheck disable=SC2086
python3 .ci/dist.py pack "$home" "$folder/$name" "$epoch" ${AVM_DIST_FORMATS:-tar.gz zip}
du -sk "$home" | awk '{ printf "unpacked: %.0f MB\n", $1 * 1024 / 1e6 }'
(cd "$folder" && ls -l "$name".* | awk '{ printf "%s: %.0f MB\n", $9, $5 / 1e6 }')
