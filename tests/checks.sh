# Checks of the shell scripts here, which source this file in the top folder.  Before the first check, a script sets `work`, a
# folder for its files.  It may set `excerpt`, the command that shows what a failed check said, `errors`, a file that is then
# shown, too, and `suite`, its name in what it prints.
# shellcheck shell=bash disable=SC2154
script=$(basename "$0")
suite=${suite:-${script%.sh}}
excerpt=(head -n 20)
errors=
checks=0
failures=0

# tried NAME FILE STATUS: counts a check, and shows a part of the file if the status is not 0
tried() {
  checks=$((checks + 1))
  [ "$3" -ne 0 ] || return 0
  failures=$((failures + 1))
  printf '%s: FAILED: %s\n' "$script" "$1"
  "${excerpt[@]}" "$2" | sed 's/^/    /'
  [ -z "$errors" ] || [ ! -f "$errors" ] || head -n 20 "$errors" | sed 's/^/    /'
  return 1
}

# check NAME COMMAND...: the command must succeed; what it says is shown if it does not
check() {
  local called=$1
  shift
  "$@" >"$work/said" 2>&1
  tried "$called" "$work/said" $?
}

# skip TEXT: says what was not tested, and why
skip() { printf 'SKIPPED: %s: %s\n' "$suite" "$1"; }

# finish: prints the line of counts, which tests/run.sh reads, and ends the script
finish() {
  local percent=100
  [ "$failures" -eq 0 ] || percent=$((100 * (checks - failures) / checks))
  echo "$percent%: Checks: $checks, Failures: $failures, Errors: 0"
  [ "$failures" -eq 0 ]
  exit
}

# skip_rest TEXT: does both, where nothing further can be tested; no check at all would be a failure
skip_rest() {
  skip "$1"
  checks=$((checks + 1))
  finish
}

# has COMMAND: it is installed
has() { command -v "$1" >/dev/null 2>&1; }

# same GOT WANTED: the texts are equal
same() { [ "$1" = "$2" ] || {
  printf 'got:    %s\nwanted: %s\n' "$1" "$2"
  return 1
}; }

# ends_with TEXT COMMAND...: the command succeeds, and its last line is TEXT
ends_with() {
  local wanted=$1 said
  shift
  said=$(timeout 300 "$@" 2>&1) && [ "$(tail -n 1 <<<"$said")" = "$wanted" ] && return
  echo "$said"
  return 1
}
