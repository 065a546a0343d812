#!/usr/bin/env bash
# Run every test suite of a build: tests/run.sh BUILD_FOLDER [NAME...]
# One line a suite, its whole output where it fails, one line of totals.
set -u

build=${1:?usage: tests/run.sh BUILD_FOLDER [NAME...]}
shift
cd "$(dirname "$0")/.." || exit 1
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-300}
# threads that wait for each other on a busy machine had better sleep
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
# thousands of small files: in memory, where there is room
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -gt 1000000 ]; then
  export TMPDIR=/dev/shm
fi
export MOTIFSIEVE_DATA=${MOTIFSIEVE_DATA:-../shared/data}

log=$(mktemp "${TMPDIR:-/tmp}/motifsieve-run-XXXXXX")
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

# suite NAME COMMAND...: every suite ends with libcheck's line of counts
suite() {
  local name=$1 begin=$SECONDS code counts checks bad skips
  shift
  "$@" >"$log" 2>&1
  code=$?
  counts=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$log" | tail -n 1)
  # shellcheck disable=SC2086
  set -- $(grep -oE '[0-9]+' <<<"$counts")
  checks=${2:-0} bad=$((${3:-0} + ${4:-0}))
  # a crash, or no checks at all, is a failure, too
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] || [ "$checks" -eq 0 ]; then bad=$((bad + 1)); fi
  skips=$(grep -c '^SKIPPED' "$log")
  printf '%-18s %6d checks, %d failed, %d skipped (%d s)\n' "$name" "$checks" "$bad" "$skips" $((SECONDS - begin))
  if [ "$bad" -ne 0 ]; then sed 's/^/    /' "$log"; else grep '^SKIPPED' "$log" | sed 's/^/    /'; fi
  failed=$((failed + bad)) skipped=$((skipped + skips))
  [ "$checks" -lt "$bad" ] || passed=$((passed + checks - bad))
}

wanted() {
  local name=$1 word
  shift
  [ $# -eq 0 ] && return 0
  for word in "$@"; do [ "$word" = "$name" ] && return 0; done
  return 1
}

for source in tests/unit/test_*.c; do
  name=$(basename "$source" .c)
  wanted "$name" "$@" && suite "$name" "$build/tests/unit/$name"
done
for source in tests/gpu/*.cu tests/gpu/emulated/{engines,trie,reuse,flood}.c; do
  program=${source#tests/gpu/} program=${program%.*}
  name=gpu_$(basename "$program")
  wanted "$name" "$@" || continue
  if [ -x "$build/tests/gpu/$program" ]; then
    suite "$name" "$build/tests/gpu/$program"
  else
    printf '%-18s SKIPPED: built without CUDA (make check CUDA=1 needs nvcc)\n' "$name"
    skipped=$((skipped + 1))
  fi
done
# the tool with engines on emulated GPUs
if wanted gpu_cli_pattern "$@"; then
  if [ -x "$build/tests/gpu/emulated/motifsieve" ]; then
    suite gpu_cli_pattern tests/cli/cli_pattern.sh "$build/tests/gpu/emulated/motifsieve"
  else
    printf '%-18s SKIPPED: built without CUDA (make check CUDA=1 needs nvcc)\n' gpu_cli_pattern
    skipped=$((skipped + 1))
  fi
fi
wanted arrows "$@" && suite arrows tests/arrows.sh "$build"
wanted fuzz "$@" && suite fuzz tests/fuzz/replay.sh "$build"
wanted cli "$@" && suite cli tests/cli/cli.sh "$build/motifsieve"
wanted cli_pattern "$@" && suite cli_pattern tests/cli/cli_pattern.sh "$build/motifsieve"
wanted cli_typed "$@" && suite cli_typed tests/cli/cli_typed.sh "$build/motifsieve"
wanted cli_typed_match "$@" && suite cli_typed_match tests/cli/cli_typed_match.sh "$build/motifsieve"
wanted install "$@" && suite install tests/install.sh "$build"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
