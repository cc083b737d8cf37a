#!/usr/bin/env bash
# The laboratory in the gate: compiled against the library that was just built, and its short tests. Takes one to three minutes.
# --placed says that its jars are in target/repository. Other arguments are more arguments for Maven. AVM_MAVEN has options for all of
# its calls, such as -o; AVM4J_DATA names the folder of public data sets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jars=--built
if [ "${1:-}" = --placed ]; then
  jars=--placed
  shift
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
rm -rf lab/*/target/surefire-reports
lab/build.sh "$jars" -B -ntp -T 2 -Dstyle.color=never ${AVM4J_DATA:+"-Davm4j.data=$AVM4J_DATA"} clean verify -Dchecks "$@" >"$log" 2>&1 || status=$?
if [ "$status" -ne 0 ]; then
  grep -E '^\[ERROR\]' "$log" | head -n 80 || true
  echo "-- last lines of the log"
  tail -n 60 "$log"
  echo
fi
# javac 17 cannot run with -Werror beside an incubator module.
if grep -E '^\[WARNING\] .*\.java:\[[0-9]+,[0-9]+\]' "$log" | sort -u; then
  echo "-- compiler warnings are errors"
  status=1
fi
sed -nE 's/^\[[A-Z]+\] Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+)(, Flakes: [0-9]+)?$/\1 \2 \3 \4/p' "$log" |
  awk '{ r += $1; f += $2; e += $3; s += $4 }
    END { printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d\n", r, f, e, s; exit r == 0 }' || status=1
exit "$status"
