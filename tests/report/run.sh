#!/usr/bin/env bash
# Tests reports in a browser: tests/report/run.sh [--update] BUILD_FOLDER
#                             tests/report/run.sh --drawn FOLDER BUILD_FOLDER
# --update rewrites look.json: where the parts of a page are, and how much of each is not background.  Look at the page
# before you commit it.
# --drawn checks only that each report in FOLDER draws its network; packaging/release.sh calls it.
# Makes results and their reports, opens them in headless Chromium by playwright-core,
# and checks the rules of accessibility by axe-core; both come from npm (package-lock.json has their checksums).
# Skipped where Node.js, Chromium or a package is missing.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../environment.sh"
update=
if [ "${1:-}" = --update ]; then
  update=1
  shift
fi
made=
if [ "${1:-}" = --drawn ]; then
  made=$(realpath "$2")
  shift 2
fi
build=${1:?usage: tests/report/run.sh BUILD_FOLDER}
cd "$(dirname "$0")/../.." || exit 1
build=$(realpath "$build")
root=$PWD

# read by checks.sh
# shellcheck disable=SC2034
suite=report
# shellcheck source=tests/checks.sh
. tests/checks.sh
command -v node >/dev/null 2>&1 || skip_rest 'there is no Node.js'
browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v "$name" 2>/dev/null)
done
[ -n "$browser" ] || skip_rest 'there is no Chromium (apt-get install chromium)'

packages=$build/tests/report
mkdir -p "$packages"
if [ ! -d "$packages/node_modules/playwright-core" ] || [ ! -d "$packages/node_modules/axe-core" ]; then
  command -v npm >/dev/null 2>&1 || skip_rest 'there is no npm, from which playwright-core and axe-core come'
  cp tests/report/package.json tests/report/package-lock.json "$packages"
  (cd "$packages" && timeout 60 npm ci --silent --no-audit --no-fund --ignore-scripts --prefer-offline \
    --fetch-retries=0 --fetch-timeout=20000 >/dev/null 2>&1) || skip_rest 'npm could not get playwright-core and axe-core'
fi

cp "$root"/tests/report/*.mjs "$packages"
if [ -n "$made" ]; then
  cd "$made" || exit 1
  CHROMIUM=$browser timeout 400 node "$packages/drawn.mjs" "$made" *.html
  exit
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-report-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$root/tests/report/make.sh" "$build/motifsieve" || {
  echo '0%: Checks: 1, Failures: 1, Errors: 0'
  exit 1
}
UPDATE=$update CHROMIUM=$browser EXPECTED=$root/tests/report timeout 400 node "$packages/browser.mjs" "$work"
