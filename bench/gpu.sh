#!/usr/bin/env bash
# Runs the benchmarks of the CUDA path, each beside its floor:
#   bench/gpu.sh [--quick] MOTIFSIEVE [OUTPUT]
# bench/experiments must lie beside MOTIFSIEVE, where make bench-gpu puts it.
# Writes to standard output, and to OUTPUT if given.  Takes a few minutes; --quick
# runs a smaller set in less than one.  Exits with status 1 if there is no GPU or if
# a benchmark failed.  If there is no GPU and ENGINES=cpu, as for bench/pattern_sweep.sh, it
# does nothing, with a message.
set -eu

quick=
if [ "${1:-}" = --quick ]; then
  quick=1
  shift
fi
tool=${1:?usage: bench/gpu.sh [--quick] MOTIFSIEVE [OUTPUT]}
experiments=$(dirname "$tool")/bench/experiments
[ -x "$experiments" ] || { echo "bench/gpu.sh: no $experiments; run make bench-gpu" >&2; exit 1; }

gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
if [ "${gpus:-0}" -eq 0 ] && [ "${ENGINES:-}" = cpu ]; then
  echo "SKIPPED: the sieve on GPUs and its floors: this machine has no GPU, and ENGINES=cpu asks for the processors alone"
  exit 0
fi
if [ "${gpus:-0}" -eq 0 ]; then
  echo "bench/gpu.sh: no GPU to measure: $("$tool" info | sed -n 's/^accelerators\t//p' | cut -f 2-)" >&2
  echo 'bench/gpu.sh: make bench-gpu ENGINES=cpu counts the same patterns on the processors, in about four minutes' >&2
  exit 1
fi
[ $# -lt 2 ] || exec > >(tee "$2")

driver() {
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=driver_version --format=csv,noheader | sort -u | paste -sd ' '
  elif [ -r /proc/driver/nvidia/version ]; then
    head -n 1 /proc/driver/nvidia/version
  else
    echo unknown
  fi
}
echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
echo "# GPUs: $gpus: $("$tool" info | sed -n 's/^accelerators\t//p' | cut -f 2-)"
if command -v nvidia-smi >/dev/null; then nvidia-smi --query-gpu=index,name,clocks.max.sm,memory.total --format=csv,noheader | sed 's/^/# /'; fi
echo "# driver: $(driver)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/gpu.sh${quick:+ --quick}"

failed=0
# run TITLE PROGRAM ARGS...: runs a program under a title and notes its failure.
run() {
  echo
  echo "## $1"
  shift
  "$@" || {
    echo "FAILED: $*"
    failed=1
  }
}
# one TITLE ARGS...: runs the experiments on GPU 0 alone.
one() {
  local what=$1
  shift
  run "$what" "$experiments" --backend cuda --devices 0 "$@"
}

seconds=${quick:+0.1}
run "Arithmetic: multiplications a second" "$tool" bench gf2 --backend cuda --seconds "${seconds:-0.5}"
run "Ceilings" "$experiments" --ceilings --seconds "${seconds:-0.5}"

if [ -n "$quick" ]; then
  one "k = 16" -k 16 --runs 5
  one "k = 18" -k 18 --runs 3
  one "n = 2^16, k = 10" -n 65536 -k 10 --runs 3
  one "n = 2^16, k = 10, hubs -1.0" -n 65536 -k 10 --family hubs --exponent -1 --runs 3
  one "k = 14, classic recurrence" -k 14 --recurrence classic --runs 3
  one "k = 16, planted: pruning alone answers" -k 16 --planted --runs 5
  exit $failed
fi

one "k = 16, to reach 3.5 ms" -k 16 --runs 21
one "k = 18" -k 18 --runs 9
one "k = 20, to reach 60 ms" -k 20 --runs 9
devices=
for count in 1 2 4; do
  [ "$count" -le "$gpus" ] || break
  devices=$(seq -s , 0 $((count - 1)))
  run "k = 22 on $count GPU(s)" "$experiments" --backend cuda --devices "$devices" -k 22 --runs 3
done
# make puts gpu_part beside the tool.
part=$(dirname "$tool")/bench/gpu_part
if [ -x "$part" ]; then
  echo
  echo "## k = 30, to reach 45 s on 4 GPUs: a part of the points"
  "$part" 30 4 || failed=1
fi
one "n = 2^20, k = 10, to reach 90 ms" -n 1048576 -k 10 --runs 5
one "n = 2^18, k = 10" -n 262144 -k 10 --runs 5
one "n = 2^18, k = 10, hubs -0.5" -n 262144 -k 10 --family hubs --exponent -0.5 --runs 5
one "n = 2^18, k = 10, hubs -1.0, to be 1.3 times slower than a regular graph at most" -n 262144 -k 10 --family hubs --exponent -1 --runs 5
one "k = 16, classic recurrence" -k 16 --recurrence classic --runs 5
one "k = 16, planted: pruning alone answers" -k 16 --planted --runs 21
one "n = 2^18, k = 10, planted" -n 262144 -k 10 --planted --runs 5
run "k = 16, GPUs and processor together" "$experiments" --backend both -k 16 --runs 9
run "k = 20, GPUs and processor together" "$experiments" --backend both -k 20 --runs 5
one "Scaling in k" --experiment k --runs 5
one "Scaling in n, k = 10" --experiment n --runs 3
one "Topology at equal number of edges" --experiment topology --runs 3
exit $failed
