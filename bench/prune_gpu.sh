#!/usr/bin/env bash
# Pruning on GPUs: first that nothing differs from pruning on processors, then the times of whole calls with both, in pairs:
#   bench/prune_gpu.sh BUILD_FOLDER [OUTPUT]
# make bench-prune-gpu builds what it needs in the folder.  Takes about five minutes; writes to standard output, and to OUTPUT if given.
# Exits with status 1 if anything differs or fails; times are measured all the same.
set -u

build=${1:?usage: bench/prune_gpu.sh BUILD_FOLDER [OUTPUT]}
tool=$build/motifsieve experiments=$build/bench/experiments test=$build/tests/gpu/device_prune
[ $# -lt 2 ] || exec > >(tee "$2") 2>&1
gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
[ "${gpus:-0}" -gt 0 ] || { echo "bench/prune_gpu.sh: this machine has no GPU" >&2; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-prune-gpu-XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

echo "# date: $(date -u +%Y-%m-%d), commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
"$tool" info | sed -n 's/^accelerator/# accelerator/p'

# check TITLE COMMAND...
check() {
  local title=$1 begin=$SECONDS word=ok
  shift
  "$@" >"$work/said" 2>&1 || { word=FAILED failed=1; }
  printf '%-8s%s (%d s)\n' "$word" "$title" $((SECONDS - begin))
  [ $word = ok ] || sed 's/^/        /' "$work/said" | tail -n 40
}

# shellcheck disable=SC2317 # check calls it
# same OPTION...: the result file of a screen does not depend on who prunes, nor on the number of GPUs
same() {
  MOTIFSIEVE_PRUNE=cpu "$tool" screen "$@" --quiet --backend cuda --devices 0 -o "$work/cpu" || return 1
  for count in 1 2 4 8; do
    [ "$count" -le "$gpus" ] || break
    MOTIFSIEVE_PRUNE=gpu "$tool" screen "$@" --quiet --backend cuda --devices "$(seq -s , 0 $((count - 1)))" -o "$work/gpu" &&
      cmp "$work/cpu" "$work/gpu" || return 1
  done
}

echo
echo '## The same result'
check 'vertices, slots, rows and Q of random instances' "$test"
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ "$sanitizer" ]; then
  for what in memcheck racecheck; do
    MOTIFSIEVE_TEST_SCALE=0.1 check "compute-sanitizer $what" env CK_FORK=no "$sanitizer" --tool $what --error-exitcode 9 "$test"
  done
fi
check 'options of screens' "$(dirname "$0")/../tests/cli/run.sh" "$tool" screen/prune_gpu
[ ! -x "$build/tests/unit/test_gpu" ] || MOTIFSIEVE_GPU_LAST_STEP=rows check "Q is the CPU's, with rows in the last step" "$build/tests/unit/test_gpu"
motif=c0,c1,c2,c3,c4,c5,c6,c7
"$tool" gen power-law --vertices 200000 --exponent -2 --min-degree 1 --max-degree 20000 --uniform-colors 12 --colors-out "$work/hubs.colors" \
  --seed 3 -o "$work/hubs.tsv" &&
  check 'hubs, four of twelve colours not wanted' same "$work/hubs.tsv" --colors "$work/hubs.colors" --motif $motif
"$tool" gen er --vertices 200000 --degree 2.2 --uniform-colors 8 --colors-out "$work/er.colors" --seed 4 -o "$work/er.tsv" &&
  check 'sparse, many components, rounds that drop vertices' same "$work/er.tsv" --colors "$work/er.colors" --motif $motif
"$tool" gen regular --vertices 200000 --degree 20 --uniform-colors 8 --colors-out "$work/regular.colors" --seed 5 -o "$work/regular.tsv" &&
  check 'regular, nothing dropped but edges' same "$work/regular.tsv" --colors "$work/regular.colors" --motif $motif
"$tool" gen er --vertices 200000 --degree 0.5 --uniform-colors 8 --colors-out "$work/few.colors" --seed 6 -o "$work/few.tsv" &&
  check 'so sparse that all or nearly all is dropped' same "$work/few.tsv" --colors "$work/few.colors" --motif $motif

# pair TITLE OPTION...: both ways, twice, in turn; each process prints its first call, too
pair() {
  local title=$1 way
  shift
  echo
  echo "## $title"
  for way in cpu gpu cpu gpu; do
    echo "# MOTIFSIEVE_PRUNE=$way"
    MOTIFSIEVE_PRUNE=$way "$experiments" --backend cuda "$@" | grep -E '^ +(first|time|opening|ratio)|kept by pruning|FAILED' || failed=1
  done
}

pair 'n = 2^20, k = 10, one GPU: pruning to reach 3 ms, the whole call 50 ms' --devices 0 -n 1048576 -k 10 --runs 9
pair 'n = 2^18, k = 10, one GPU' --devices 0 -n 262144 -k 10 --runs 15
pair 'n = 2^18, k = 10, hubs -1.0, one GPU' --devices 0 -n 262144 -k 10 --family hubs --exponent -1 --runs 9
pair 'n = 2^17, k = 10, one GPU: about the least size that is pruned there' --devices 0 -n 131072 -k 10 --runs 15
for count in 1 2 4; do
  [ "$count" -le "$gpus" ] || break
  pair "n = 2^20, k = 13, $count GPU(s): four to be 3.6 times one" --devices "$(seq -s , 0 $((count - 1)))" -n 1048576 -k 13 --runs 3
done

echo
echo '## n = 2^20, k = 10, one GPU: rows or moments for the last step (docs/SIEVE.md), to reach 49 ms of kernels in place of 52'
for way in rows moments rows moments; do
  echo "# MOTIFSIEVE_GPU_LAST_STEP=$way"
  MOTIFSIEVE_GPU_LAST_STEP=$way "$experiments" --backend cuda --devices 0 -n 1048576 -k 10 --runs 9 |
    grep -E '^ +(first|time|opening|ratio)|kept by pruning|FAILED' || failed=1
done
exit $failed
