#!/usr/bin/env bash
# The comparison of engines by random cases, on emulated GPUs: tests/gpu/random_cases.sh BUILD_FOLDER
#
# Every engine agrees with the CPU's; an engine with errors does not, and its case is printed
# with a command that repeats it; a seed repeats all cases.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../environment.sh"

program=${1:?usage: tests/gpu/random_cases.sh BUILD_FOLDER}/tests/gpu/emulated/random_cases
cases=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { print int(300 * scale) < 20 ? 20 : int(300 * scale) }')
checks=0 failures=0

# check WHAT COMMAND...: the command has to succeed
check() {
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" && return
  failures=$((failures + 1))
  echo "FAILED: $what"
}

check 'every engine agrees with the CPU'"'"'s' "$program" --cases "$cases" --seconds 60

# the engine `broken` has to be found out, and again by the command that it prints
finds_errors() {
  local report repeat
  report=$("$program" --engine broken --cases 100 2>&1) && { echo "$report"; return 1; }
  repeat=$(sed -n 's/^  repeat: //p' <<<"$report" | head -n 1)
  [ "$repeat" ] || { echo "$report"; return 1; }
  report=$($repeat 2>&1) && { echo "$report"; return 1; }
  grep -q "the CPU's engine" <<<"$report" && grep -q '^  graph ' <<<"$report"
}
check 'errors of an engine are found' finds_errors

# rare cases, which other seeds may not have
check 'trie: a counted set with earlier matches in it' "$program" --engine trie --seed 2388195995 --size 200 --case 1686
check 'dfs: parts of roots of many paths in a typed graph' "$program" --engine dfs --seed 1421525473 --size 200 --case 8187

without_time() { sed 's/, [0-9.]* s$//'; }
repeats() {
  local first again
  first=$("$program" --engine dfs --cases 20 --seed 5 | without_time)
  again=$("$program" --engine dfs --cases 20 --seed 5 | without_time)
  [ "$first" ] && [ "$first" = "$again" ]
}
check 'a seed repeats all cases' repeats

refuses() {
  "$program" "$@" >/dev/null 2>&1
  [ $? -eq 2 ]
}
check 'an engine that does not exist is refused' refuses --engine none
check 'a number that is none is refused' refuses --cases some

echo "$((100 * (checks - failures) / checks))%: Checks: $checks, Failures: $failures, Errors: 0"
[ "$failures" -eq 0 ]
