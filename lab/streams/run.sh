#!/usr/bin/env bash
# Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
#
# Runs a program of this module in its folder: options of Java, a main class, arguments.
#
#   lab/streams/run.sh -Xmx4g io.github.avm4j.flink.measure.EngineTax 150000 5
#
# Builds it first, with the library and the command. AVM_BUILT=1 takes all as it was built before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if [ -z "${AVM_BUILT:-}" ]; then
  (
    cd ../..
    mvn -q -DskipTests -Dfixtures.skip=false package
    lab/build.sh --built -q -DskipTests package -pl streams
  )
fi
exec java --add-modules jdk.incubator.vector --add-opens=java.base/java.util=ALL-UNNAMED \
  -cp "$PWD/target/classes:$(cat target/classpath.txt)" "$@"
