#!/usr/bin/env bash
# Fuzz the targets with libFuzzer for FUZZ_SECONDS each (3600), FUZZ_JOBS (all
# processors) at a time.  Stops at the first finding; its input is kept in
# BUILD_FOLDER/findings, what was learnt in BUILD_FOLDER/corpus, logs beside;
# learn.sh makes a small part of the latter one that `make check` replays.
# Usage: tests/fuzz/fuzz.sh BUILD_FOLDER TARGET...
set -u

build=${1:?usage: tests/fuzz/fuzz.sh BUILD_FOLDER TARGET...}
shift
cd "$(dirname "$0")/../.." || exit 1
seconds=${FUZZ_SECONDS:-3600}
jobs=${FUZZ_JOBS:-$(nproc)}
mkdir -p "$build/findings" "$build/logs"
# Whole, because the commands are fuzzed in a folder of their own.
findings=$(realpath "$build/findings")
# The options are the words of the fuzzed commands.
sed -nE "s/^ +\{(0|'.'), \"([a-z0-9-]+)\",.*/\"--\2\"/p" cli/options/option_table.c | sort -u >"$build/options.dict"
declare -A running=() started=()
found=0

# begin TARGET
begin() {
  local words=() learnt=tests/fuzz/learnt/$1.tar.gz
  mkdir -p "$build/corpus/$1" "$build/learnt/$1"
  [ ! -e "$learnt" ] || tar xzf "$learnt" -C "$build/learnt/$1"
  started[$1]=$SECONDS
  if [ "$1" = commands ]; then words=("-dict=$build/options.dict"); fi
  "$build/tests/fuzz/$1" -max_total_time="$seconds" -max_len=1048576 -len_control=0 -timeout=60 -rss_limit_mb=2048 \
    ${words[@]+"${words[@]}"} -print_final_stats=1 -artifact_prefix="$findings/$1-" \
    "$build/corpus/$1" "$build/learnt/$1" "tests/fuzz/corpus/$1" >/dev/null 2>"$build/logs/$1.log" &
  running[$!]=$1
}

# end TARGET EXIT_CODE
end() {
  local log=$build/logs/$1.log executions coverage seeds failed=0
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  coverage=$(sed -n 's/^#[0-9]*.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  seeds=$(find "$build/corpus/$1" -type f | wc -l)
  if [ "$2" -ne 0 ]; then failed=1 found=1; fi
  printf '%-18s %10s executions in %5d s, %6s edges covered, %5d inputs kept, %d findings\n' "$1" "${executions:-?}" \
    $((SECONDS - started[$1])) "${coverage:-?}" "$seeds" "$failed"
  [ "$failed" -eq 0 ] || {
    grep -E 'FINDING|ERROR|runtime error|SUMMARY|Test unit written' "$log"
    find "$findings" -name "$1-*" # a command has redirected the message of a timeout
  }
}

# wait for one of those that run
reap() {
  local pid code
  wait -n -p pid
  code=$?
  [ -n "${pid:-}" ] || return
  end "${running[$pid]}" "$code"
  unset "running[$pid]"
}

for target in "$@"; do
  while [ "${#running[@]}" -ge "$jobs" ]; do reap; done
  [ "$found" -eq 0 ] || break
  begin "$target"
done
while [ "${#running[@]}" -gt 0 ] && [ "$found" -eq 0 ]; do reap; done
if [ "$found" -ne 0 ]; then
  [ "${#running[@]}" -eq 0 ] || kill "${!running[@]}" 2>/dev/null
  echo "a finding: see $build/findings and $build/logs"
  exit 1
fi
echo "nothing found; logs are in $build/logs"
