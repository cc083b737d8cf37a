#!/usr/bin/env bash
# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
#
# Kills TaskManagers, the JobManager, the broker and avm serve at random, or makes the folder of checkpoints unwritable,
# while two jobs learn and the server answers. Prometheus must raise the alarms of deploy/prometheus for it and clear
# them. Afterwards counts are compared, to the record. lab/results/faults.md says what must hold.
#
#   lab/streams/chaos.sh [MINUTES] [SEED]     30 minutes by default
#
# AVM_BUILT=1 takes the modules as they were built before; AVM_PATIENCE is how many minutes a job may take to go on (3).
# Needs Debian's package prometheus.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
minutes=${1:-30}
seed=${2:-1}
exec ./run.sh -Xmx2g -Davm4j.patience="${AVM_PATIENCE:-3}" -Dorg.slf4j.simpleLogger.defaultLogLevel=off \
  io.github.avm4j.flink.job.Chaos $((minutes * 60)) "$PWD/../../cli/target/avm/bin/avm" "$seed"
