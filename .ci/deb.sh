#!/usr/bin/env bash
# Makes a Debian package of the archive that .ci/dist.sh put into FOLDER: .ci/deb.sh FOLDER
#
# dpkg-deb instead of jpackage, whose launcher is a program of its own: it would pass over bin/avm, which chooses Java's
# options by the command, and would leave out manual pages and completion.
set -euo pipefail
folder=$(cd "${1:?name the folder of the archive}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022
archive=$(ls "$folder"/avm4j-*-linux-*.tar.gz 2>/dev/null | tail -n 1) || true
[ -n "$archive" ] || { echo "no avm4j-*-linux-*.tar.gz in $folder; run .ci/dist.sh $folder first" >&2; exit 1; }
full=$(basename "$archive" .tar.gz)
version=${full#avm4j-} processor=${full##*-}
version=${version%-linux-*}
case $processor in x64) architecture=amd64 ;; *) architecture=$processor ;; esac
# A tilde sorts before the release.
debian=${version/-SNAPSHOT/~snapshot}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/lib" "$root/usr/share/doc/avm4j/examples" \
  "$root/usr/share/bash-completion/completions" "$root/usr/share/man/man1"
tar -xzf "$archive" -C "$work"
home=$root/usr/lib/avm4j
mv "$work/$full" "$home"
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(stat -c %Y "$home")
ln -s ../lib/avm4j/bin/avm "$root/usr/bin/avm"
rm "$home/bin/avm.bat"
mv "$home/completions/avm.bash" "$root/usr/share/bash-completion/completions/avm"
for page in "$home"/man/man1/*.1; do gzip -9n <"$page" >"$root/usr/share/man/man1/$(basename "$page").gz"; done
rm -r "$home/completions" "$home/man"
mv "$home/README.md" "$home/sbom.cdx.json" "$root/usr/share/doc/avm4j/"
gzip -9n <CHANGELOG.md >"$root/usr/share/doc/avm4j/changelog.gz"
sed 's:/opt/avm4j/bin/avm:/usr/bin/avm:' examples/serve/avm-serve.service >"$root/usr/share/doc/avm4j/examples/avm-serve.service"
cp examples/serve/serve.properties "$root/usr/share/doc/avm4j/examples/"
{
  cat NOTICE
  printf '\navm4j: Apache-2.0, see /usr/lib/avm4j/LICENSE and /usr/share/common-licenses/Apache-2.0\n'
  printf 'Its libraries: /usr/lib/avm4j/THIRD-PARTY.md\n'
  printf 'Java runtime (OpenJDK): GPL-2 with Classpath exception, see /usr/lib/avm4j/runtime/legal\n'
} >"$root/usr/share/doc/avm4j/copyright"

cat >"$root/DEBIAN/control" <<EOF
Package: avm4j
Version: $debian
Architecture: $architecture
Maintainer: avm4j contributors <https://github.com/avm4j/avm4j>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= 2.31)
Section: science
Priority: optional
Homepage: https://github.com/avm4j/avm4j
Description: online kernel learning from the command line
 The command avm learns classifiers and regressors from streams, one instance
 at a time, predicts at any moment and keeps its memory bounded. It has a Java
 runtime of its own.
EOF
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
package=$folder/avm4j_${debian}_$architecture.deb
dpkg-deb --root-owner-group -Zgzip -z6 --build "$root" "$package" >"$work/dpkg.log" || { cat "$work/dpkg.log" >&2; exit 1; }
ls -l "$package" | awk '{ printf "%s: %.0f MB\n", $9, $5 / 1e6 }' | sed "s:$folder/::"
