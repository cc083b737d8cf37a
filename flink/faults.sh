#!/usr/bin/env bash
# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
#
# Rounds of faults on a broker and a cluster in processes of their own, at random moments and in random order, while a job
# of one learner and a job of cells learn from the same rows. After each round all counts are compared, to the record, and
# models, bit for bit. lab/results/faults.md says which faults.
#
#   flink/faults.sh [TIMES] [SEED]     10 rounds by default, three to five minutes each; as root, for it mounts small disks
#
# AVM_BUILT=1 takes the modules as they were built before; AVM_PATIENCE is how many minutes a job may take to go on (6).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=${1:-10}
seed=${2:-1}
for number in "$times" "$seed"; do
  case $number in
    '' | *[!0-9]* | ?????????*)
      echo "flink/faults.sh [TIMES] [SEED]: '$number' is not a whole number of at most eight digits" >&2
      exit 2
      ;;
  esac
done
if [ -z "${AVM_BUILT:-}" ]; then
  mvn -q -DskipTests -pl flink -am package
fi
own=$(for module in flink core data; do printf '%s:' "$PWD/$module/target/classes"; done)
cd flink
exec java -Xmx1g -Davm4j.patience="${AVM_PATIENCE:-6}" --add-modules jdk.incubator.vector -Dorg.slf4j.simpleLogger.defaultLogLevel=off \
  -cp "$own$PWD/target/test-classes:$(cat target/test-jars.txt)" \
  io.github.avm4j.flink.job.Faults "$times" "$seed"
