#!/usr/bin/env bash
# Measures whether another order of the vertices makes searches faster on processors:
#   bench/vertex_order.sh BUILD_FOLDER [GRAPH...]
# Each GRAPH is a binary graph with the colours c0 to c11 (gen --uniform-colors 12); without one, R-MAT graphs of
# scales 18 and 20.  Prints processor seconds, the least of ROUNDS (default 3) runs with one thread: finding the
# order, reading, one repetition of the sieve for 8 colours without pruning, a census of connected sets of
# CENSUS_K (default 3) vertices, and a count of triangles.
set -eu

build=${1:?usage: bench/vertex_order.sh BUILD_FOLDER [GRAPH...]}
shift
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
tool=$build/motifsieve
if [ $# -eq 0 ]; then
  "$tool" gen rmat --scale 18 -d 20 --uniform-colors 12 -o "$folder/rmat-18.msb"
  "$tool" gen rmat --scale 20 -d 16 --uniform-colors 12 -o "$folder/rmat-20.msb"
  set -- "$folder/rmat-18.msb" "$folder/rmat-20.msb"
fi

# seconds COMMAND...
seconds() {
  local least=1e9 took
  for _ in $(seq "${ROUNDS:-3}"); do
    took=$({ TIMEFORMAT=%U; time timeout 600 "$@" >/dev/null 2>&1; } 2>&1)
    least=$(awk -v a="$least" -v b="$took" 'BEGIN { print a < b ? a : b }')
  done
  printf '\t%s' "$least"
}

printf 'graph\torder\tfind\tread\tsieve\tcensus\ttriangles\n'
for graph in "$@"; do
  for order in natural random degree bfs rcm; do
    found=$("$build/bench/vertex_order" "$order" "$graph" "$folder/ordered.msb")
    printf '%s\t%s\t%s' "$(basename "$graph" .msb)" "$order" "$found"
    seconds "$tool" stats "$folder/ordered.msb" -t 1
    seconds "$tool" screen "$folder/ordered.msb" -m c0,c1,c2,c3,c4,c5,c6,c7 --screen always --backend cpu \
      --repetitions 1 --no-prune -t 1
    seconds "$tool" census "$folder/ordered.msb" -k "${CENSUS_K:-3}" -t 1 --engine cpu
    seconds "$tool" match "$folder/ordered.msb" triangle --count -t 1 --engine cpu
    echo
  done
done
