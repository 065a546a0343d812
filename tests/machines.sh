#!/usr/bin/env bash
# Runs tests as on other machines: tests/machines.sh BUILD [SUITE...]
# The library machine.so shows the programs other numbers of processors, caches and memory, and processors without some
# instructions.  Without names it runs a few quick tests of what depends on them, as a suite of tests/run.sh; with names it
# runs these suites by tests/run.sh on each machine.  MOTIFSIEVE_TEST_MACHINES='name ...' chooses machines.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

build=$(cd "${1:?usage: tests/machines.sh BUILD [SUITE...]}" && pwd) || exit 1
shift
cd "$(dirname "$0")/.." || exit 1
export MOTIFSIEVE_CUDA=0
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-machines-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/checks.sh
. tests/checks.sh

library=$build/tests/machine.so
# not_here TEXT: skips all of it.
not_here() {
  skip "$1"
  check 'nothing' true
  finish
}
[ -e "$library" ] || not_here 'machine.so is built on Linux with glibc only'
case $build in *-asan | *-tsan) not_here 'machine.so has not been tried with sanitizers' ;; esac

avx512=avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq
declare -A machines=(
  [old]="processors=1 l2=256K l3=3M memory=2G without=$avx512,gfni,avx2,bmi,bmi2,popcnt,sse4.2"
  [avx2]="processors=16 l2=512K l3=32M memory=64G without=$avx512,gfni"
  [gfni]="processors=2 l2=2M l3=8M memory=8G without=$avx512"
  [large]="processors=64 l2=0 l3=0 memory=2000G without=avx512vpopcntdq"
)

# on MACHINE COMMAND...: runs a command as on this machine.
on() {
  local machine=${machines[$1]:?there is no such machine}
  shift
  env MOTIFSIEVE_TEST_MACHINE="$machine" LD_PRELOAD="$library" "$@"
}

jobs=${MOTIFSIEVE_TEST_JOBS:-$(($(nproc) + 1))}
for name in ${MOTIFSIEVE_TEST_MACHINES:-old avx2 gfni large}; do
  if [ $# -gt 0 ]; then
    check "$name: $*" on "$name" MOTIFSIEVE_TEST_JOBS="$jobs" tests/run.sh "$build" "$@"
    continue
  fi
  on "$name" "$build/motifsieve" info >"$work/info"
  check "$name: its processors" grep -qx "threads	$(sed -E 's/processors=([0-9]+) .*/\1/' <<<"${machines[$name]}")" "$work/info"
  case ${machines[$name]} in
  *,gfni*) check "$name: its instructions" awk -F'\t' '$2 ~ /^gfni/ && $4 != "not on this processor" { exit 1 }' "$work/info" ;;
  esac
  check "$name: arithmetic" on "$name" MOTIFSIEVE_TEST_SCALE=0.02 "$build/tests/unit/test_sieve_halves"
  check "$name: memory of threads" on "$name" MOTIFSIEVE_TEST_ONLY=half_of_the_memory "$build/tests/unit/test_sieve"
  check "$name: predicted times" on "$name" "$build/tests/unit/test_cpu_time"
  check "$name: cases of the tool" on "$name" tests/cli/run.sh "$build/motifsieve" pattern/plans screen/backends
done
finish
