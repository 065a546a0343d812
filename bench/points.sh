#!/usr/bin/env bash
# Measures how long the graph of a million points in the plane takes, by each rule:
#   bench/points.sh MOTIFSIEVE
# Prints seconds of the whole command and of its processors, three times, for one and two threads.  Needs 200 MB of disk (TMPDIR).
set -eu

tool=${1:?usage: bench/points.sh MOTIFSIEVE}
points=${POINTS:-1000000}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
awk -v n="$points" 'BEGIN { srand(1); print "cell\tx\ty"; for (i = 0; i < n; i++) printf "p%d\t%.3f\t%.3f\n", i, 1000 * rand(), 1000 * rand() }' >"$folder/points.tsv"
# within this radius, six neighbours are expected
radius=$(awk -v n="$points" 'BEGIN { printf "%.4f", 1000 * sqrt(6 / 3.14159265 / n) }')
echo "## neighbors: $points points, $(stat -c %s "$folder/points.tsv") bytes"
TIMEFORMAT='%R s, processors %U + %S s'
for rule in '--knn 6' "--radius $radius" --delaunay; do
  for threads in 1 2; do
    for _ in 1 2 3; do
      echo -n "$rule, $threads threads: "
      # shellcheck disable=SC2086
      { time "$tool" neighbors "$folder/points.tsv" $rule --threads "$threads" -o "$folder/graph.msb" -q; } 2>&1
    done
  done
  echo "$rule: $("$tool" stats "$folder/graph.msb" 2>/dev/null | grep -P '^edges\t' | tr '\t' ' ')"
done
