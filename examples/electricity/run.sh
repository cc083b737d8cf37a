#!/usr/bin/env bash
# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
#
# Streams the electricity data, in time order, through a Kafka broker and a Flink cluster that are started here as
# processes from Maven's jars; kills a TaskManager on the way; compares the model with a plain loop's and the error with
# avm evaluate's.
#
#   examples/electricity/run.sh ELEC.csv[.xz]      the data of avm data show electricity; about two minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=${1:?name the file of electricity data, as CSV with a column class}
data=$(cd "$(dirname "$data")" && pwd)/$(basename "$data")

mvn -q -DskipTests package
jars=$(mktemp)
trap 'rm -f "$jars"' EXIT
mvn -q -DskipTests -pl flink -am test-compile dependency:build-classpath -Dmdep.outputFile="$jars" -Dmdep.includeScope=test
own=$(for module in flink core data; do printf '%s:' "$PWD/$module/target/classes"; done)
(
  cd flink
  java --add-modules jdk.incubator.vector -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
    -cp "$own$PWD/target/test-classes:$(cat "$jars")" io.github.avm4j.flink.job.ElectricityDemo "$data"
)
echo
echo "== avm evaluate on the same rows, in one process:"
cli/target/avm/bin/avm evaluate "$data" --label class --budget 100
