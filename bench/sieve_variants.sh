#!/usr/bin/env bash
# Variants of the sieve on GPUs that are not the default (docs/SIEVE.md, "Graphs of any size"): first that Q is the CPU's with each
# of them, then times of whole calls, in turn:
#   bench/sieve_variants.sh BUILD_FOLDER [OUTPUT]
# make bench-variants-gpu builds what it needs in the folder.  Takes about two minutes; writes to standard output, and to OUTPUT if
# given.  Exits with status 1 if anything differs or fails; times are measured all the same.
set -u

build=${1:?usage: bench/sieve_variants.sh BUILD_FOLDER [OUTPUT]}
tool=$build/motifsieve experiments=$build/bench/experiments test=$build/tests/unit/test_gpu
[ $# -lt 2 ] || exec > >(tee "$2") 2>&1
gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
[ "${gpus:-0}" -gt 0 ] || { echo "bench/sieve_variants.sh: this machine has no GPU" >&2; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-variants-XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

echo "# date: $(date -u +%Y-%m-%d), commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
"$tool" info | sed -n 's/^accelerator/# accelerator/p'

echo
echo "## Q is the CPU's"
for variant in MOTIFSIEVE_GPU_ARCS=ahead MOTIFSIEVE_GPU_CHUNK_WORDS=4; do
  if env "$variant" "$test" >"$work/said" 2>&1; then
    echo "ok      $variant"
  else
    failed=1
    echo "FAILED  $variant"
    tail -n 20 "$work/said"
  fi
done

# times TITLE VARIANT COMMAND...: the lines of one command that say how long its calls took
times() {
  local title=$1 variant=$2
  shift 2
  printf '%-42s ' "$title $variant"
  env "$variant" "$@" --backend cuda --seconds 0.02 >"$work/said" 2>&1 || failed=1
  grep -E '^ +time' "$work/said" || { failed=1 && tail -n 3 "$work/said"; }
}

# in_turn TITLE COMMAND...: all variants, twice, in turn
in_turn() {
  local title=$1 round variant
  shift
  echo
  echo "## $title: $*"
  for round in 1 2; do
    for variant in MOTIFSIEVE_GPU_ARCS=at-once MOTIFSIEVE_GPU_ARCS=ahead MOTIFSIEVE_GPU_CHUNK_WORDS=16 \
      MOTIFSIEVE_GPU_CHUNK_WORDS=8 MOTIFSIEVE_GPU_CHUNK_WORDS=4; do
      times "$round" "$variant" "$@" --devices 0
    done
  done
}

in_turn 'n = 2^20, k = 10' "$experiments" -n 1048576 -k 10 --runs 9
in_turn 'n = 2^18, k = 10' "$experiments" -n 262144 -k 10 --runs 15

echo
echo '## Order of the vertices: 2^18 random points of a plane with their 15 nearest neighbours, k = 10'
awk 'BEGIN { srand(1); print "x\ty"; for (i = 0; i < 262144; i++) printf "%.7f\t%.7f\n", rand(), rand() }' >"$work/points.tsv"
if "$tool" neighbors "$work/points.tsv" --knn 15 -o "$work/plain.msb" && "$tool" gen file "$work/plain.msb" --uniform-colors 10 -o "$work/graph.msb"; then
  for order in natural bfs rcm natural bfs rcm; do
    "$build/bench/vertex_order" "$order" "$work/graph.msb" "$work/ordered.msb" >"$work/found" || failed=1
    times "$order, found in $(cat "$work/found") s" MOTIFSIEVE_GPU_ARCS=at-once "$tool" bench sieve "$work/ordered.msb" \
      --motif c0,c1,c2,c3,c4,c5,c6,c7,c8,c9 --runs 9 --devices 0
  done
else
  failed=1
fi

echo
echo '## n = 2^20, k = 13, which is eight chunks of 32 words: four GPUs to be 3.6 times one'
for count in 1 2 4; do
  [ "$count" -le "$gpus" ] || break
  times "$count GPU(s)" MOTIFSIEVE_GPU_ARCS=at-once "$experiments" -n 1048576 -k 13 --runs 3 --devices "$(seq -s , 0 $((count - 1)))"
done
exit $failed
