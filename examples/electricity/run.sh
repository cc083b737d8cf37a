#!/usr/bin/env bash
# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
#
# The whole circle on one machine, without containers. A Kafka broker, a Flink cluster and avm serve are started here as
# processes. The electricity data come in time order: rows as events and as questions to the server, labels a day later
# as feedback to it. The job learns from both, its models go to the server. A TaskManager is killed on the way; in the
# end the model is compared with a plain loop's, and the error with avm evaluate's. README.md tells what one sees.
#
#   examples/electricity/run.sh ELEC.csv[.xz] [DAYS]     the data (see README.md); all 940 days take two minutes
#
# AVM_BUILT=1 takes the modules as they were built before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=${1:?name the file of electricity data, as CSV with a column class}
data=$(cd "$(dirname "$data")" && pwd)/$(basename "$data")
test -r "$data" || { echo "$data cannot be read" >&2; exit 1; }
shift

if [ -z "${AVM_BUILT:-}" ]; then echo "== building; the first time this takes some minutes"; fi
stay=false
if [ -t 0 ] && [ -t 1 ]; then stay=true; fi
lab/streams/run.sh -Dstay=$stay -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
  io.github.avm4j.flink.job.ElectricityDemo "$data" "$PWD/cli/target/avm/bin/avm" "$@"
if [ $# -eq 0 ]; then
  echo
  echo "== avm evaluate on the same rows, in one process: each label is known before the next row, as in the job's own error"
  cli/target/avm/bin/avm evaluate "$data" --label class --budget 100
fi
