#!/usr/bin/env bash
# Rehearses a release to Maven Central: stages what would be uploaded into a folder, signs it with a key that is thrown
# away, checks it by the rules that Central's portal publishes (central.py), and packs the bundle. Uploads nothing.
#
#   .ci/stage.sh FOLDER [MODULE...]     all published modules, unless some are named
#
# AVM_BUILT=1 takes the modules as mvn -Prelease -DskipTests package has built them.
set -euo pipefail
folder=${1:?name a folder to stage into}
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' pom.xml | head -n 1)
if [ $# -gt 0 ]; then
  modules=("$@")
else
  modules=()
  for module in $(sed -n 's:.*<module>\(.*\)</module>.*:\1:p' pom.xml); do
    if ! grep -q '<maven.deploy.skip>true' "$module/pom.xml"; then modules+=("$module"); fi
  done
fi
if [ -z "${AVM_BUILT:-}" ]; then
  mvn -B -ntp -q -Prelease -DskipTests -pl "$(IFS=,; echo "${modules[*]}")" -am package
fi

export GNUPGHOME
GNUPGHOME=$(mktemp -d)
trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
gpg --batch --quiet --passphrase '' --quick-generate-key 'avm4j rehearsal' ed25519 sign 1d

problems=0
wrong() {
  echo "$*"
  problems=$((problems + 1))
}

# stage TARGET FILE: with checksums and signature.
stage() {
  local target=$1
  mkdir -p "$(dirname "$target")"
  if [ ! -s "$2" ]; then
    wrong "missing: $2"
    return
  fi
  cp "$2" "$target"
  gpg --batch --quiet --yes --armor --detach-sign "$target"
  for sum in md5 sha1 sha256 sha512; do "${sum}sum" <"$target" | cut -d' ' -f1 >"$target.$sum"; done
}

at=$folder/io/github/avm4j
rm -rf "$at" "$folder"/avm4j-*-bundle.zip
stage "$at/avm4j-parent/$version/avm4j-parent-$version.pom" pom.xml
for module in "${modules[@]}"; do
  name=avm4j-$module-$version
  to=$at/avm4j-$module/$version/$name
  stage "$to.pom" "$module/pom.xml"
  if [ "$module" = bom ]; then continue; fi
  for kind in '' -sources -javadoc; do stage "$to$kind.jar" "$module/target/$name$kind.jar"; done
done
python3 .ci/central.py "$folder" || problems=$((problems + 1))
case $version in *-SNAPSHOT) echo "note: Central takes no snapshots; this is a rehearsal" ;; esac

(cd "$folder" && python3 -m zipfile -c "avm4j-$version-bundle.zip" io)
echo "$(find "$folder/io" -name '*.asc' | wc -l) files signed, of ${#modules[@]} modules and the parent; $problems problems"
[ "$problems" -eq 0 ]
