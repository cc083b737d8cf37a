#!/usr/bin/env bash
# Runs test classes many times, each time in a JVM of its own with the gate's arguments but without Maven:
#   .ci/repeat.sh MODULE TEST[,TEST…] TIMES
# Prints a line per run and a total; the output of runs that fail stays in MODULE/target/repeat. With AVM_BUILT=1 nothing is built,
# so that several can run beside each other. Fails if a run does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -ne 3 ]; then
  sed -n '2,5s/^# \?//p' "$0" >&2
  exit 2
fi
root=$PWD module=$1 times=$3
logs=$root/$module/target/repeat
IFS=, read -r -a tests <<<"$2"

if [ "${AVM_BUILT:-0}" != 1 ]; then
  mvn -q -pl "$module" -am test-compile dependency:build-classpath -Dmdep.outputFile=target/repeat/classpath
fi
classpath=$root/$module/target/test-classes:$root/$module/target/classes:$(cat "$logs/classpath")
version=$(sed -n 's/.*junit-platform-engine-\([0-9.]*\)\.jar.*/\1/p' "$logs/classpath")
console=$logs/junit-platform-console-standalone-$version.jar
if [ ! -e "$console" ]; then
  mvn -q -N dependency:copy "-Dartifact=org.junit.platform:junit-platform-console-standalone:$version" "-DoutputDirectory=$logs"
fi

# As in the configuration of surefire in pom.xml and in those of the modules.
java=(${JAVA_HOME:+"$JAVA_HOME/bin/"}java -ea -Xmx1g --add-modules jdk.incubator.vector -Djava.awt.headless=true
  -Dcluster=on -Dlaws=on -Dorg.slf4j.simpleLogger.defaultLogLevel=error
  "-Davm4j.data=${AVM4J_DATA:-$root/../shared/data}" "-Dbasedir=$root/$module"
  -cp "$classpath:$console" org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests)
cd "$module/target/test-classes"
for test in "${tests[@]}"; do
  file=$(find . -name "$test.class" -printf '%P')
  file=${file%.class}
  java+=("--select-class=${file//\//.}")
done
cd "$root/$module"

failed=0 begin=$SECONDS
for ((run = 1; run <= times; run++)); do
  start=$SECONDS log=$logs/$2-$$-$run.log
  # What hangs tells its threads and ends.
  if env --default-signal=INT,QUIT,HUP timeout --signal=QUIT --kill-after=10 1800 "${java[@]}" >"$log" 2>&1; then
    echo "$2 $run: passed in $((SECONDS - start)) s"
    rm "$log"
  else
    failed=$((failed + 1))
    echo "$2 $run: FAILED in $((SECONDS - start)) s, $log"
  fi
done
echo "$2: $times runs, $failed failed, $((SECONDS - begin)) s"
[ "$failed" -eq 0 ]
