#!/usr/bin/env bash
# Runs every test suite of a build: tests/run.sh BUILD_FOLDER [NAME...]
# Prints one line a suite, with its seconds by the clock and of processors, the whole output of a suite that fails (as it
# ends, and once more at the end), the ten suites that took most of the processors' time, and the verdict as the last line.
# Suites run side by side, one more than there are processors, because those with deadlines and signals wait a quarter of
# their time (MOTIFSIEVE_TEST_JOBS says otherwise).
# `quick` in place of names: the unit tests with a twentieth of the random cases, but for those that take 5 s even so, and
# the cases that tests/cli/quick names.  Names after it add suites.
# A suite that runs longer than MOTIFSIEVE_SUITE_SECONDS (default 7200) is ended, and fails with the list of its
# processes: a test that hangs is a failure with a name.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

build=${1:?usage: tests/run.sh BUILD_FOLDER [NAME...]}
shift
cd "$(dirname "$0")/.." || exit 1
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-300}
# The tests write thousands of small files: in memory, where there is room and programs can be run.
if [ -z "${TMPDIR:-}" ] && runs_programs /dev/shm && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -gt 1000000 ]; then
  export TMPDIR=/dev/shm
fi
export MOTIFSIEVE_DATA=${MOTIFSIEVE_DATA:-../shared/data}
# sanitizers say where undefined behaviour trapped
export ASAN_OPTIONS=${ASAN_OPTIONS:-handle_sigill=1}
# where there is no driver, the code for GPUs of this build says so; no other one is loaded
plugin=libmotifsieve-cuda.so.$(sed -n 's/^#define MS_CUDA_ABI //p' gpu/loader/plugin.h)
MOTIFSIEVE_CUDA=$([ -f "$build/$plugin" ] && realpath "$build/$plugin" || echo 0)
export MOTIFSIEVE_CUDA
jobs=${MOTIFSIEVE_TEST_JOBS:-$(($(nproc 2>/dev/null || echo 2) + 1))}

logs=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-run-XXXXXX")
stop() {
  # shellcheck disable=SC2046
  kill $(jobs -p) 2>/dev/null
  rm -rf "$logs"
}
trap stop EXIT
trap 'exit 130' INT TERM

limit=${MOTIFSIEVE_SUITE_SECONDS:-7200}

# descendants PID: prints the numbers of a process and of all that it has started, children after their parents.
descendants() {
  ps -eo pid=,ppid= | awk -v top="$1" '{ parent[$1] = $2 } END {
    for (pid in parent) {
      for (p = pid; p in parent && p != top; p = parent[p]) {}
      if (p == top) print pid
    }
  }' | sort -n
}

# stacks PID...: prints where the threads of these processes are, as far as gdb is there and may look.
stacks() {
  local pid
  command -v gdb >/dev/null || return 0
  for pid in "$@"; do
    case $(ps -o comm= -p "$pid") in
    bash | sh | timeout | sleep | env | '') ;;
    *) timeout 60 gdb -p "$pid" -batch -nx -ex 'thread apply all bt 20' 2>/dev/null | grep -E '^(Thread|#)' ;;
    esac
  done
}

# end_late PID LOG: ends the command PID once its time is over, and says in LOG what it was doing.
end_late() {
  local end=$((SECONDS + limit)) all
  while [ $SECONDS -lt $end ]; do
    sleep 5
    kill -0 "$1" 2>/dev/null || return
  done
  all=$(descendants "$1")
  {
    echo "FAILED: it has not ended after $limit seconds; its processes:"
    # shellcheck disable=SC2086
    ps -o pid,ppid,etime,stat,args -p "$(paste -s -d , <<<"$all")"
    # shellcheck disable=SC2086
    stacks $all
  } >>"$2" 2>&1
  # shellcheck disable=SC2086
  kill -KILL $all
}

# run_suite NAME COMMAND...: NAME's report goes to the file $logs/NAME and its totals,
# passed, failed and skipped checks and tenths of seconds, to $logs/NAME.totals.  Every suite ends with
# libcheck's line of counts.
run_suite() {
  local name=$1 begin=$SECONDS code command watch cost counts checks bad skips log=$logs/$1.log
  shift
  "$@" >"$log" 2>&1 </dev/null &
  command=$!
  end_late $command "$log" >/dev/null 2>&1 &
  watch=$!
  wait $command 2>/dev/null
  code=$?
  # what this shell's children took, in tenths of a second
  times >"$log.times"
  cost=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 10 * (60 * ($1 + $3) + $2 + $4) + 0.5 }' "$log.times")
  kill $watch 2>/dev/null
  counts=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$log" | tail -n 1)
  # shellcheck disable=SC2046
  set -- $(grep -oE '[0-9]+' <<<"$counts")
  checks=${2:-0} bad=$((${3:-0} + ${4:-0}))
  # a crash, or no checks at all, is a failure, too
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] || [ "$checks" -eq 0 ]; then bad=$((bad + 1)); fi
  skips=$(grep -c '^SKIPPED' "$log")
  {
    printf '%-22s %6d checks, %d failed, %d skipped (%d s, %d.%d s of processors)\n' \
      "$name" "$checks" "$bad" "$skips" $((SECONDS - begin)) $((cost / 10)) $((cost % 10))
    if [ "$bad" -ne 0 ]; then sed 's/^/    /' "$log"; else grep '^SKIPPED' "$log" | sed 's/^/    /'; fi
  } >"$logs/$name"
  if [ "$checks" -lt "$bad" ]; then checks=$bad; fi
  echo "$((checks - bad)) $bad $skips $cost" >"$logs/$name.totals"
  cat "$logs/$name"
}

wanted() {
  local name=$1 word
  shift
  [ $# -eq 0 ] && return 0
  for word in "$@"; do [ "$word" = "$name" ] && return 0; done
  return 1
}

if [ "${1-}" = quick ]; then
  shift
  export MOTIFSIEVE_TEST_SCALE=${MOTIFSIEVE_TEST_SCALE:-0.05}
  slow='binary|directed|enumerate|format_graphml|format_lad|large_patterns|list_significance|misuse_calls|parallel|pattern_inner'
  slow+='|pattern_lad|pattern_queries|process|progress|reading|schedule|shapes|sorted|stacks|stops'
  # shellcheck disable=SC2046
  set -- "$@" cli_quick $(cd tests/unit && basename -s .c */test_*.c | grep -vxE "test_($slow)")
fi
names=("$@")
# What the address sanitizer need not see: claims about clocks, threads and distributions, which other builds test.
left_out=()
[[ $build != *-asan || $# -gt 0 ]] || left_out=(cli_bench law_resumed law_stops test_{sample,stops,schedule,progress,list_significance,full_disk,hash,parallel})
started=()
# suite NAME COMMAND...: starts it as soon as a processor is free.
suite() {
  wanted "$1" ${names[@]+"${names[@]}"} || return 0
  [[ " ${left_out[*]-} " != *" $1 "* ]] || return 0
  started+=("$1")
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  run_suite "$@" &
}
# gpu_suite NAME PROGRAM COMMAND...: a suite whose program is built where there is CUDA.
gpu_suite() {
  local name=$1 program=$2
  shift 2
  if [ -x "$program" ]; then
    suite "$name" "$@"
  elif wanted "$name" ${names[@]+"${names[@]}"}; then
    printf '%-22s SKIPPED: built without CUDA (make check CUDA=1 needs nvcc)\n' "$name"
    echo "0 0 1 0" >"$logs/$name.totals"
  fi
}

# the long ones first, so that no processor waits at the end
cli_motifs=(list screen many census compare)
cli_suites=(pattern typed match large bench laws "${cli_motifs[@]}")
others=()
for folder in tests/cli/*/; do
  subject=$(basename "$folder")
  [[ " ${cli_suites[*]} " == *" $subject "* ]] || others+=("$subject")
done
# shellcheck disable=SC2046
[[ " ${names[*]} " != *' cli_quick '* ]] || suite cli_quick tests/cli/run.sh "$build/motifsieve" $(<tests/cli/quick)
suite cli_motifs tests/cli/run.sh "$build/motifsieve" "${cli_motifs[@]}"
suite cli tests/cli/run.sh "$build/motifsieve" "${others[@]}"
for law in tests/cli/laws/*.sh; do
  name=$(basename "$law" .sh)
  suite "law_$name" tests/cli/run.sh "$build/motifsieve" "laws/$name"
done
suite cli_large tests/cli/run.sh "$build/motifsieve" large
suite cli_pattern tests/cli/run.sh "$build/motifsieve" pattern
# the tool with emulated GPUs: what ends a search or draws on a terminal is the same with them (gpu_engines has their stops)
mapfile -t emulated_cases < <(cd tests/cli && ls pattern/*.case pattern/*.refusals pattern/*.sh | grep -vE '/(stopped|terminal)\.' | sed 's/\.[a-z]*$//')
emulated=$(realpath "$build")/tests/gpu/emulated
gpu_suite gpu_cli_pattern "$emulated/$plugin" env MOTIFSIEVE_CUDA="$emulated/$plugin" tests/cli/run.sh "$build/motifsieve" \
  "${emulated_cases[@]}"
gpu_suite gpu_cli_screen "$emulated/with_sieve/$plugin" env MOTIFSIEVE_CUDA="$emulated/with_sieve/$plugin" CUDA_VISIBLE_DEVICES=0,1 \
  tests/cli/run.sh "$build/motifsieve" screen/backends screen/prune_gpu
gpu_suite gpu_cli_list "$emulated/$plugin" env MOTIFSIEVE_CUDA="$emulated/$plugin" tests/cli/run.sh "$build/motifsieve" list/engine
suite install tests/install.sh "$build"
suite python python/tests/run.sh "$build"
suite r r/tests.sh "$build"
suite faults tests/faults/run.sh "$build"
suite cli_bench tests/cli/run.sh "$build/motifsieve" bench
suite cli_typed tests/cli/run.sh "$build/motifsieve" typed
suite cli_match tests/cli/run.sh "$build/motifsieve" match
for source in tests/gpu/emulated/{engines,trie,reuse,flood,motifs,session,domains,census,sieve,prune}.c tests/gpu/*.cu; do
  program=${source#tests/gpu/} program=${program%.*}
  gpu_suite "gpu_$(basename "$program")" "$build/tests/gpu/$program" "$build/tests/gpu/$program"
done
long_units=(stops misuse_calls sieve_sums schedule sample)
for name in "${long_units[@]}"; do suite "test_$name" "$build/tests/unit/test_$name"; done
gpu_suite gpu_random_cases "$emulated/random_cases" tests/gpu/random_cases.sh "$build"
for source in tests/unit/*/test_*.c; do
  name=$(basename "$source" .c)
  [[ " ${long_units[*]} " == *" ${name#test_} "* ]] || suite "$name" "$build/tests/unit/$name"
done
suite report tests/report/run.sh "$build"
suite arrows tests/arrows.sh "$build"
suite fuzz tests/fuzz/replay.sh "$build"
suite library tests/library.sh "$build"
suite plugin tests/plugin.sh "$build"
suite mpi tests/mpi.sh "$build"
suite mpi-other tests/mpi_other.sh "$build"
suite mpi-hosts tests/mpi_hosts.sh "$build"
suite packaging tests/packaging.sh "$build"
suite notebooks tests/notebooks.sh "$build"
suite machines tests/machines.sh "$build"
suite aarch64 tests/aarch64.sh "$build" gf2
wait

for name in ${started[@]+"${started[@]}"}; do
  if [ -f "$logs/$name.totals" ]; then
    read -r _ bad _ _ <"$logs/$name.totals"
    # its place is far above, and what keeps only the last lines would lose it
    if [ "$bad" -ne 0 ]; then tail -n 40 "$logs/$name"; fi
    continue
  fi
  echo "$name: ended without a report"
  echo "0 1 0 0" >"$logs/$name.totals"
done
# what keeps the whole within its time
echo 'seconds of processors:'
for name in ${started[@]+"${started[@]}"}; do echo "$name $(cat "$logs/$name.totals")"; done |
  sort -k 5,5nr | awk '{ sum += $5; if (NR <= 10) printf "  %-22s %7.1f\n", $1, $5 / 10 }
    END { printf "  %-22s %7.1f\n", "all suites", sum / 10 }'
totals=$(cat "$logs"/*.totals 2>/dev/null | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
read -r passed failed skipped <<<"$totals"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
