#!/usr/bin/env bash
# From a table of cells to the motif of five that is most enriched, and a picture of it: see README.md.
#   MOTIFSIEVE=PATH       the program; by default motifsieve
#   PERMUTATIONS=N        also count every motif in N random permutations of the cell types; by default none
#   Q=X                   motifs with a greater false discovery rate are not chosen; by default 0.01
#   LEAST=N               motifs with fewer groups are not chosen; by default 1000, in the made tissue 100
#   THREADS=N             by default 2
set -eu
export LC_ALL=C
motifsieve=${MOTIFSIEVE:-motifsieve}
folder=${2:-tissue-results}
threads=${THREADS:-2}
mkdir -p "$folder"

if [ $# -gt 0 ]; then
  cells=$1
  least=${LEAST:-1000}
else
  # Cells of six types at random places, and 150 groups of two A, two B and one C close together.
  cells=$folder/cells.tsv
  least=${LEAST:-100}
  awk 'BEGIN {
    seed = 4711; print "x\ty\tcell_type"
    for (i = 0; i < 19250; i++) printf "%.2f\t%.2f\t%s\n", 1000 * random(), 1000 * random(), substr("DEFDEFABC", int(9 * random()) + 1, 1)
    for (g = 0; g < 150; g++) {
      x = 1000 * random(); y = 1000 * random()
      for (j = 1; j <= 5; j++) printf "%.2f\t%.2f\t%s\n", x + 2 * random(), y + 2 * random(), substr("AABBC", j, 1)
    }
  }
  function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }' >"$cells"
fi

# step NAME COMMAND...: runs a command and prints its time.
step() {
  local name=$1 begin
  shift
  begin=$(date +%s%N)
  "$@"
  awk -v name="$name" -v ns=$(($(date +%s%N) - begin)) 'BEGIN { printf "%-22s %6.2f s\n", name, ns / 1e9 }'
}

step 'graph' "$motifsieve" neighbors "$cells" --delaunay -o "$folder/graph.msb" -q -t "$threads"
permutations=()
[ -z "${PERMUTATIONS:-}" ] || permutations=(--permutations "$PERMUTATIONS")
step 'census' "$motifsieve" census "$folder/graph.msb" --size 5 --significance ${permutations[@]+"${permutations[@]}"} \
  -o "$folder/census.tsv" -q -t "$threads"
# Of the motifs with enough groups and a small q, the one that is most times as frequent as expected.  Columns are found by their
# titles.
top=$(awk -F '\t' -v least="$least" -v most="${Q:-0.01}" '/^#/ { next }
  !q { for (i = 1; i <= NF; i++) at[$i] = i; q = at["q"]; sets = at["sets"]; expected = at["expected"]; next }
  $sets < least || $q > most || $expected <= 0 { next }
  $sets / $expected > best { best = $sets / $expected; motif = $1 }
  END { if (motif != "") print motif }' "$folder/census.tsv")
[ -n "$top" ] || {
  echo "no motif has $least groups and q up to ${Q:-0.01}; choose a smaller LEAST" >&2
  exit 1
}
echo "top motif: $top"
awk -F '\t' -v top="$top" '/^#/ { next } !title { title = 1; print; next } $1 == top' "$folder/census.tsv"
step 'picture' "$motifsieve" screen "$folder/graph.msb" --motif "$top" --exact -o "$folder/top.svg" -q -t "$threads" \
  --svg --positions "$cells"
