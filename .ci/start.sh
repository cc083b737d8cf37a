#!/bin/sh
# Runs the start that README.md shows, with the avm of the PATH: .ci/start.sh README.md, in a folder with the files of
# dist.py samples. POSIX, and nothing but avm and Debian's minimal programs: this runs where there is no Java and no source.
set -eu
readme=$1
command -v java >/dev/null && { echo "there is a java on the PATH: $(command -v java)"; exit 1; }
unset JAVA_HOME || :

avm demo >demo.txt 2>demo.err || { cat demo.err; exit 1; }
grep -q 'avm with default settings  *[0-9.]* %' demo.txt || { cat demo.txt; exit 1; }

# The commands below "A file", without their comments, each as it stands there; a server would not end.
awk '/^## / { inside = $0 == "## A file" } inside && /^avm / && !/^avm serve/ { sub(/  *#.*/, ""); print }' "$readme" >commands
count=0
while read -r line; do
  sh -c "$line" >out.txt 2>err.txt </dev/null || { echo "failed: $line"; cat out.txt err.txt; exit 1; }
  count=$((count + 1))
done <commands
[ "$count" -ge 4 ] || { echo "only $count commands found in $readme"; exit 1; }
for file in report.html a9a.avm predictions.csv; do [ -s "$file" ] || { echo "$file was not written"; exit 1; }; done
echo "   avm demo and $count commands of README.md; $(avm --version 2>/dev/null | head -n 1)"
