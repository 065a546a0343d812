#!/usr/bin/env bash
# Fuzz the targets with libFuzzer for FUZZ_SECONDS each (3600), FUZZ_JOBS (all
# processors) at a time.  Stops at the first finding; its input is kept in
# BUILD_FOLDER/findings, what was learnt in BUILD_FOLDER/corpus, logs beside.
# Usage: tests/fuzz/fuzz.sh BUILD_FOLDER TARGET...
set -u

build=${1:?usage: tests/fuzz/fuzz.sh BUILD_FOLDER TARGET...}
shift
cd "$(dirname "$0")/../.." || exit 1
seconds=${FUZZ_SECONDS:-3600}
jobs=${FUZZ_JOBS:-$(nproc)}
mkdir -p "$build/findings" "$build/logs"
# The options are the words of the fuzzed commands.
sed -nE "s/^ +\{(0|'.'), \"([a-z0-9-]+)\",.*/\"--\2\"/p" cli/option_table.c | sort -u >"$build/options.dict"
declare -A running=()
found=0

# begin TARGET
begin() {
  local words=()
  mkdir -p "$build/corpus/$1"
  if [ "$1" = commands ]; then words=("-dict=$build/options.dict"); fi
  "$build/tests/fuzz/$1" -max_total_time="$seconds" -max_len=1048576 -len_control=0 -timeout=20 -rss_limit_mb=2048 \
    ${words[@]+"${words[@]}"} -print_final_stats=1 -artifact_prefix="$build/findings/$1-" \
    "$build/corpus/$1" "tests/fuzz/corpus/$1" >/dev/null 2>"$build/logs/$1.log" &
  running[$!]=$1
}

# end TARGET EXIT_CODE
end() {
  local log=$build/logs/$1.log executions findings=0
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$2" -ne 0 ]; then findings=1 found=1; fi
  printf '%-16s %12s executions, %d findings\n' "$1" "${executions:-?}" "$findings"
  [ "$findings" -eq 0 ] || grep -E 'FINDING|ERROR|runtime error|SUMMARY|Test unit written' "$log"
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
