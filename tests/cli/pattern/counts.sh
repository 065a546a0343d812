# Counts of eleven patterns in complete graphs of 5 and 12 vertices are those of closed formulas:
# subgraphs, embeddings and induced; orders, engines and threads change nothing.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# count WANT NAME ARGS...
count() {
  local want=$1 name=$2
  shift 2
  exits 0 "$name" "$@" --count
  check "$name" same "$(cat out)" "$want"
}
while read -r pattern k5 group k12 induced; do
  count "$k5" "K5: $pattern" list k5.tsv -p "$pattern"
  count $((k5 * group)) "K5: embeddings of $pattern" list k5.tsv -p "$pattern" --embeddings
  count "$k12" "K12: $pattern" list k12.tsv -p "$pattern"
  count "$induced" "K12: induced $pattern" list k12.tsv -p "$pattern" --induced
done <<'TABLE'
triangle 10 6 220 220
clique:4 5 24 495 495
clique:5 1 120 792 792
cycle:4 15 8 1485 0
cycle:5 12 10 9504 0
diamond 30 4 2970 0
house 60 2 47520 0
star:3 20 6 1980 0
path:3 30 2 660 0
octahedron 0 48 13860 0
wheel:4 15 8 11880 0
TABLE
for order in auto ri degree reuse; do
  count 47520 "house by --order $order" list k12.tsv -p house --order $order
done
for engine in auto cpu; do count 220 "--engine $engine" list k12.tsv -p triangle --engine $engine; done
for threads in 1 3; do count 47520 "$threads threads" list k12.tsv -p house --threads $threads; done
count 220 'binomial' list k12.tsv -p triangle --screen never --subgraphs
# paths of four by their middle edge: bc 1, cd 1, bd 3, de 2; without a chord: abde, bdef, cdef
count 1 'one triangle' list g.tsv -p triangle
count 7 'paths of four' list g.tsv -p path:4
count 3 'induced paths of four' list g.tsv -p path:4 --induced
exits 0 'both counts as JSON' list k5.tsv -p diamond --count --json
check 'both counts' grep -q '^{"type":"count","subgraphs":"30","embeddings":"120",.*"automorphisms":"4",.*"status":"complete"' out
