#!/usr/bin/env bash
# Makes all that a release consists of and tries each of it on a machine without Java and without the sources: the archive,
# the Debian package and the images inside a minimal Debian (mmdebstrap, buildah), the bundle for Maven Central in projects
# of users. Takes many minutes and wants root (sudo) for buildah. Publishes nothing.
#
#   .ci/artifacts.sh FOLDER [PART...]    parts: archive deb serve flink bundle; all, unless some are named
#
# AVM_BUILT=1 takes what mvn -Prelease -DskipTests package has built, and archives that are in FOLDER already; AVM_MAVEN has options for
# that command, such as "-o -T 2". AVM_BASE names a tar of a minimal Debian, so that none is made; AVM_STORE a folder for buildah's
# images, which later runs use again.
set -euo pipefail
folder=${1:?name a folder for the artifacts}
shift
parts=${*:-archive deb serve flink bundle}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' pom.xml | head -n 1)
case $(uname -m) in x86_64) platform=linux-x64 ;; *) platform=linux-arm64 ;; esac

work=$(mktemp -d)
server=
store=(buildah --root "${AVM_STORE:-$work/store}" --runroot "$work/runroot")
finish() {
  if [ -n "$server" ]; then kill -- "-$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  # Those that this run has made: their names are in a file, because machine runs in a subshell.
  if [ -s "$work/containers" ]; then xargs "${store[@]}" rm <"$work/containers" >/dev/null 2>&1 || true; fi
  rm -rf "$work"
}
trap finish EXIT
. .ci/install.sh
for program in buildah mmdebstrap curl; do command -v "$program" >/dev/null || install "$program"; done
# mmdebstrap checks Debian's signatures by it; other distributions do not have it by default.
[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || install debian-archive-keyring
wants() { [[ " $parts " == *" $1 "* ]]; }
# Debian's is Gradle 4.4.1, which runs on Java 17; without any, users.sh says so.
if wants bundle && ! command -v gradle >/dev/null; then install gradle || true; fi
passed() { echo "   $1: passed in $((SECONDS - since)) s"; }

# from IMAGE: a new container of it.
from() {
  "${store[@]}" from --ulimit nofile=4096:4096 "$1" | tee -a "$work/containers"
}

# inside CONTAINER COMMAND...
inside() {
  local container=$1
  shift
  "${store[@]}" run --isolation chroot --hostname localhost "$container" -- "$@"
}

# machine: a new container of the minimal Debian, with README.md and the sample files in /try.
machine() {
  local container
  container=$(from avm-base)
  "${store[@]}" copy -q "$container" README.md .ci/start.sh "$work/samples" /try >/dev/null
  echo "$container"
}

# await URL: until it is found, at most two minutes.
await() {
  local i
  for i in $(seq 240); do
    curl -sf "$1" >/dev/null && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.5
  done
  echo "no answer from $1"
  cat "$work/server.log"
  return 1
}

since=$SECONDS
if [ -z "${AVM_BUILT:-}" ]; then
  # shellcheck disable=SC2086
  mvn -B -ntp -q ${AVM_MAVEN:-} -Prelease -DskipTests package
  passed build
fi
since=$SECONDS
if [ -z "${AVM_BUILT:-}" ] || ! ls "$folder/avm4j-$version-$platform.tar.gz" "$folder"/avm4j_*.deb >/dev/null 2>&1; then
  AVM_DIST_CHECK=jdeps .ci/dist.sh "$folder"
  .ci/deb.sh "$folder"
  passed "archives and package"
fi

if wants archive || wants deb || wants serve || wants flink; then
  since=$SECONDS
  if ! "${store[@]}" inspect --type image localhost/avm-base >/dev/null 2>&1; then
    base=${AVM_BASE:-$work/base.tar}
    [ -s "$base" ] || mmdebstrap --quiet --variant=minbase bookworm "$base"
    container=$(from scratch)
    "${store[@]}" add -q "$container" "$base" / >/dev/null
    "${store[@]}" commit -q "$container" avm-base >/dev/null
  fi
  mkdir "$work/samples"
  python3 .ci/dist.py samples "$work/samples"
  passed "minimal Debian"
fi

if wants archive; then
  since=$SECONDS
  container=$(machine)
  "${store[@]}" add -q "$container" "$folder/avm4j-$version-$platform.tar.gz" /try >/dev/null
  inside "$container" sh -c "cd /try && PATH=/try/avm4j-$version-$platform/bin:\$PATH sh start.sh README.md"
  # Java refuses to start with -Xshare:on where it cannot use the class archive: wherever the archive was unpacked, it fits.
  home=/try/avm4j-$version-$platform
  option="--enable-native-access=ALL-UNNAMED --add-exports=java.base/jdk.internal.module=ALL-UNNAMED"
  inside "$container" sh -c "$home/runtime/bin/java -Xshare:on -XX:SharedArchiveFile=$home/runtime/lib/avm.jsa $option \
    -cp $home/lib/avm4j-cli-$version.jar io.github.avm4j.cli.Main --version" >"$work/cds.log" 2>&1 || { cat "$work/cds.log"; exit 1; }
  passed archive
fi

if wants deb; then
  since=$SECONDS
  container=$(machine)
  "${store[@]}" copy -q "$container" "$(ls "$folder"/avm4j_*.deb)" /avm4j.deb >/dev/null
  inside "$container" dpkg -i /avm4j.deb >"$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; exit 1; }
  inside "$container" sh -c 'cd /try && sh start.sh README.md && dpkg -V avm4j'
  inside "$container" sh -c 'dpkg -r avm4j && ! command -v avm && test ! -e /usr/lib/avm4j' >"$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; exit 1; }
  passed deb
fi

# bud NAME CONTAINERFILE CONTEXT ARGUMENT...
bud() {
  local name=$1 file=$2 context=$3
  shift 3
  "${store[@]}" bud -q --format docker --isolation chroot --ulimit nofile=4096:4096 -f "$file" -t "$name" "$@" \
    --build-arg "VERSION=$version" "$context" >"$work/bud.log" 2>&1 || { cat "$work/bud.log"; exit 1; }
}

# configured IMAGE PATTERN...: each must be in the image's configuration.
configured() {
  local image=$1 pattern
  shift
  "${store[@]}" inspect --type image "$image" >"$work/inspect.json"
  for pattern in "$@"; do grep -q "$pattern" "$work/inspect.json" || { echo "$image has no $pattern"; exit 1; }; done
}

if wants serve; then
  since=$SECONDS
  bud avm-serve examples/serve/Containerfile "$folder" --build-arg BASE=localhost/avm-base --build-arg "PLATFORM=$platform"
  configured avm-serve '"User": "10001:10001"' '"Healthcheck"' "\"org.opencontainers.image.version\": \"$version\"" io.github.avm4j.sbom
  # A model, made by the image itself; then the entry point, as the image's user, who can write to /tmp alone.
  container=$(from avm-serve)
  "${store[@]}" copy -q "$container" "$work/samples" /samples >/dev/null
  inside "$container" sh -c 'test "$(id -u)" = 10001 && test -s /opt/avm4j/sbom.cdx.json && ! touch /opt/avm4j/x 2>/dev/null &&
    mkdir /tmp/models && /opt/avm4j/bin/avm train /samples/a9a.xz -m /tmp/models/a9a.avm' >"$work/train.log" 2>&1 || { cat "$work/train.log"; exit 1; }
  mapfile -t words < <(python3 -c '
import json, sys
config = json.load(open(sys.argv[1]))["Docker"]["config"]
print("\n".join(config["Entrypoint"]))' "$work/inspect.json")
  # A session of its own, so that all of it can be ended.
  setsid "${store[@]}" run --isolation chroot --hostname localhost "$container" -- env AVM_SERVE_CLOSE_AFTER=0s AVM_SERVE_HOST=127.0.0.1 AVM_SERVE_ADMIN_HOST=127.0.0.1 \
    "AVM_SERVE_PORT=${AVM_TRY_PORT:-18080}" "AVM_SERVE_ADMIN_PORT=$((${AVM_TRY_PORT:-18080} + 1))" "${words[@]}" /tmp/models >"$work/server.log" 2>&1 &
  server=$!
  await "http://127.0.0.1:$((${AVM_TRY_PORT:-18080} + 1))/v2/health/ready"
  said=$(curl -sf -d '{"1": 1, "14": 1}' "http://127.0.0.1:${AVM_TRY_PORT:-18080}/v1/predict")
  grep -q '"prediction"' <<<"$said" || { echo "no prediction: $said"; exit 1; }
  echo "   predicted: $(cut -c 1-160 <<<"$said")"
  # The health check as the image has it, but for the port.
  python3 - "$work/inspect.json" "$((${AVM_TRY_PORT:-18080} + 1))" >"$work/health" <<'EOF'
import json, sys
test = json.load(open(sys.argv[1]))["Docker"]["config"]["Healthcheck"]["Test"]
print(test[-1].replace("/8081", "/" + sys.argv[2]))
EOF
  inside "$container" bash -c "$(cat "$work/health")" || { echo "the image's health check fails"; exit 1; }
  kill -- "-$server"
  wait "$server" || true
  server=
  passed "image of avm serve"
fi

if wants flink; then
  since=$SECONDS
  # In place of the public image of Flink: the minimal Debian, the archive's Java, and those of Flink's jars that the add-on has.
  container=$(from avm-base)
  mkdir -p "$work/flink/lib" "$work/flink/opt" "$work/flink/usrlib"
  cp flink/target/avm4j-stream-*/stream/lib/*.jar "$work/flink/lib/"
  for pattern in $(sed -n 's:.*/stream/lib/\(\S*\.jar\).*:\1:p' deploy/kubernetes/flink/Containerfile); do rm -f "$work"/flink/lib/$pattern; done
  "${store[@]}" copy -q "$container" "$work/flink" /opt/flink >/dev/null
  "${store[@]}" add -q "$container" "$folder/avm4j-$version-$platform.tar.gz" /opt/java >/dev/null
  "${store[@]}" commit -q "$container" flink-base >/dev/null
  bud avm-flink deploy/kubernetes/flink/Containerfile . --build-arg BASE=localhost/flink-base
  configured avm-flink '"User": "9999:9999"' "\"org.opencontainers.image.version\": \"$version\"" io.github.avm4j.sbom
  container=$(from avm-flink)
  mkdir "$work/job"
  cat >"$work/job/job.yaml" <<'EOF'
name: try
learner: {task: regression}
input: {files: ["file:///job/CASP.csv"], header: true, format: csv, columns: [RMSD, F1, F2], target: RMSD}
publish: {every: 500}
output: {folder: "file:///tmp/models"}
checkpoints: {every: 1s, folder: "file:///tmp/checkpoints"}
EOF
  cp "$work/samples/CASP.csv" "$work/job/"
  "${store[@]}" copy -q "$container" "$work/job" /job >/dev/null
  inside "$container" sh -c "test \"\$(id -u)\" = 9999 && test -s /opt/flink/usrlib/sbom.cdx.json && test -e /opt/flink/opt/avm4j-flink.jar &&
    /opt/java/avm4j-$version-$platform/runtime/bin/java --add-opens=java.base/java.util=ALL-UNNAMED -Xmx1g -cp '/opt/flink/lib/*:/opt/flink/usrlib/*' \
      io.github.avm4j.flink.job.StreamMain run /job/job.yaml && find /tmp/models -name '*.avm' | grep ." >"$work/job.log" 2>&1 || { cat "$work/job.log"; exit 1; }
  passed "image of the Flink job"
fi

if wants bundle; then
  since=$SECONDS
  AVM_BUILT=1 .ci/stage.sh "$folder/bundle"
  .ci/users.sh "$folder/bundle"
  passed "bundle"
fi
