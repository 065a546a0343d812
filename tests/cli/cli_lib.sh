# What the tests of the command line share: sourced by cli.sh and cli_*.sh with
# the path of the tool as $1.  Leaves the script in an empty folder of its own.
# shellcheck shell=bash
suite=$(basename "$0")
motifsieve=$(realpath "${1:-build/motifsieve}")
[ -x "$motifsieve" ] || {
  echo "$suite: FAILED: no program at $motifsieve; run make first"
  exit 1
}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-cli-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
unset MOTIFSIEVE_GF2 OMP_NUM_THREADS

checks=0
failures=0
fail() {
  failures=$((failures + 1))
  printf '%s: FAILED: %s\n' "$suite" "$1"
  [ $# -lt 2 ] || printf '%s\n' "$2" | head -n 20 | sed 's/^/    /'
}
skip() { printf 'SKIPPED: %s: %s\n' "${suite%.sh}" "$1"; }
# check NAME COMMAND...: the command must succeed
check() {
  local name=$1
  shift
  checks=$((checks + 1))
  "$@" || fail "$name" "$(cat err 2>/dev/null)"
}
# run ARGS...: streams go to the files out and err, the exit code to $rc
run() {
  timeout 60 "$motifsieve" "$@" >out 2>err </dev/null
  rc=$?
}
# exits CODE NAME ARGS...
exits() {
  local want=$1 name=$2
  shift 2
  run "$@"
  checks=$((checks + 1))
  [ "$rc" -eq "$want" ] || fail "$name: exit code $rc, wanted $want" "motifsieve $*
$(cat err)"
}
# refuses CODE REGEX ARGS...: one error line that matches, nothing on stdout
refuses() {
  local code=$1 regex=$2
  shift 2
  exits "$code" "refuses [$*]" "$@"
  checks=$((checks + 1))
  if [ -s out ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -Eq "^motifsieve: error: .*($regex)" err; then
    fail "refuses [$*]: one line that says /$regex/, nothing on stdout" "stdout: $(head -c 200 out)
stderr: $(cat err)"
  fi
}
rows() { grep -v '^#' "${1:-out}" | tail -n +2; }
same() { [ "$1" = "$2" ] || {
  printf 'got:    %s\nwanted: %s\n' "$1" "$2" >>err
  return 1
}; }
# The line of counts that run.sh looks for, and the exit code.
finish() {
  if [ "$failures" -eq 0 ]; then percent=100; else percent=$((100 * (checks - failures) / checks)); fi
  echo "$percent%: Checks: $checks, Failures: $failures, Errors: 0"
  [ "$failures" -eq 0 ]
}
