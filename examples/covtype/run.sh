#!/usr/bin/env bash
# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
#
# Cells as keys on Flink, on one machine and without a broker: a job divides the input space of the forest cover data
# into 32 cells and learns each apart. The model of the job then predicts rows that it has not seen, beside one learner
# of the whole space. README.md tells what one sees.
#
#   examples/covtype/run.sh COVTYPE.data[.xz] [ROWS]     the data (see README.md); 60,000 rows by default
#
# AVM_BUILT=1 takes the modules as they were built before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=${1:?name the file of covtype, as CSV without a header}
rows=${2:-60000}
test -r "$data" || { echo "$data cannot be read" >&2; exit 1; }
if [ -z "${AVM_BUILT:-}" ]; then
  echo "== building; the first time this takes some minutes"
  mvn -q -DskipTests -pl flink,cli -am package
fi
avm=$PWD/cli/target/avm/bin/avm
AVM_STREAM_LIB=$(ls -d "$PWD"/flink/target/avm4j-stream-*/stream/lib)
export AVM_STREAM_LIB
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The file is sorted by place: shuffled, always in the same way. The last 10,000 rows are kept for the end.
columns=$(for j in $(seq 54); do printf 'x%d, ' "$j"; done)cover
plain() { case $data in *.xz) xz -dc "$data" ;; *) cat "$data" ;; esac; }
plain | awk 'BEGIN { srand(1) } { printf "%.9f\t%s\n", rand(), $0 }' | sort -n >"$work/sorted"
head -n "$((rows + 10000))" "$work/sorted" | cut -f 2- >"$work/all.csv"
for part in learn later; do tr -d ' ' <<<"$columns" >"$work/$part.csv"; done
head -n "$rows" "$work/all.csv" >>"$work/learn.csv"
tail -n 10000 "$work/all.csv" >>"$work/later.csv"
sed -e "s:FOLDER:file\://$work:" -e "s:COLUMNS:$columns:" examples/covtype/job.yaml >"$work/job.yaml"

echo "== the job: a plan from the first rows, then a learner per cell"
"$avm" stream run "$work/job.yaml"
newest=$work/models/$(cat "$work/models/forest.latest")

echo
echo "== what it has published"
"$avm" inspect "$newest" | sed '/^provenance/,$d'

echo
echo "== 10,000 rows that nobody has learned from"
echo "-- the job's model:"
"$avm" predict "$newest" "$work/later.csv" -o "$work/cells.csv"
echo "-- one learner of the whole space, from the same rows:"
"$avm" train "$work/learn.csv" --label cover --cells 0 -m "$work/one.avm" >"$work/train.log" 2>&1
"$avm" predict "$work/one.avm" "$work/later.csv" -o "$work/one.csv"
