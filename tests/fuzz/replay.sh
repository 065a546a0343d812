#!/usr/bin/env bash
# Every fuzz target on its seeds (tests/fuzz/corpus/TARGET), on what fuzzing has
# learnt (tests/fuzz/learnt/TARGET.tar.gz, see learn.sh) and on a fixed number of
# mutations of them; MOTIFSIEVE_TEST_SCALE=0.1 makes a tenth of these.
# Usage: tests/fuzz/replay.sh BUILD_FOLDER
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../environment.sh"

build=${1:-build}
mutations=200000
cd "$(dirname "$0")/../.." || exit 1
# so that a finding of a sanitizer keeps its input, too
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}abort_on_error=1 UBSAN_OPTIONS=${UBSAN_OPTIONS:-abort_on_error=1}
export OMP_NUM_THREADS=1

checks=0
failures=0
targets=(tests/fuzz/corpus/*/)
runs=$(awk -v n="$mutations" -v t="${#targets[@]}" -v s="${MOTIFSIEVE_TEST_SCALE:-1}" \
  'BEGIN { print int(n * s / t) }')
inputs=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-replay-XXXXXX")
trap 'rm -rf "$inputs"' EXIT
for seeds in "${targets[@]}"; do
  target=$(basename "$seeds") learnt=tests/fuzz/learnt/$(basename "$seeds").tar.gz
  checks=$((checks + 1))
  mkdir "$inputs/$target"
  [ ! -e "$learnt" ] || tar xzf "$learnt" -C "$inputs/$target"
  cp "$seeds"* "$inputs/$target"
  "$build/tests/fuzz/$target" "$inputs/$target" "$runs" || {
    failures=$((failures + 1))
    echo "replay.sh: FAILED: $target"
  }
  rm -rf "${inputs:?}/$target"
done

echo "$((100 * (checks - failures) / checks))%: Checks: $checks, Failures: $failures, Errors: 0"
[ "$failures" -eq 0 ]
