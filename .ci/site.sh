#!/usr/bin/env bash
# Builds the site from docs and checks it: links between pages (VitePress), links and anchors of what was built, accessibility of the
# main pages (axe-core in Chromium, light and dark, wide and narrow). What is missing is named and passed over.
#   .ci/site.sh [PICTURES]    with a folder: also pictures of the pages, to look at
# SITE_BASE=/avm4j/ is the path it will be served under. SITE_API=FOLDER puts the javadoc in FOLDER beside it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../site"

start=$SECONDS
echo "== site"
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "   NOT RUN, for want of node and npm: the site"
  exit 0
fi
export NO_UPDATE_NOTIFIER=1
# The packages of the lock file, unless they are there. Scripts of packages are not run.
if [ ! -e node_modules/.avm4j ] || ! cmp -s package-lock.json node_modules/.avm4j; then
  if ! timeout 300 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1; then
    echo "   NOT RUN, for want of npm's packages: the site"
    tail -n 5 npm.log
    exit 0
  fi
  cp package-lock.json node_modules/.avm4j
fi
if ! npx --no-install vitepress build >build.log 2>&1; then
  cat build.log
  echo "   site: FAILED"
  exit 1
fi
if [ -n "${SITE_API:-}" ]; then cp -r "$SITE_API" .vitepress/dist/api; fi
check=()
if [ $# -gt 0 ]; then check+=(--pictures "$1"); fi
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then check+=(--links); fi
node scripts/check.mjs "${check[@]}"
echo "   built and checked in $((SECONDS - start)) s"
