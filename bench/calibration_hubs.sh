#!/usr/bin/env bash
# Is p too often small in networks with hubs?  bench/calibration_hubs.sh BUILD [LABELLINGS]
#
# Networks with hubs (power law, R-MAT, trees of hubs, cliques, a circle, a dense block, and, where $MOTIFSIEVE_DATA has them, proteins of yeast and human) and
# points of the plane get common and rare colours at random, LABELLINGS times (default 100000; fewer where there are many sets).
# Prints the share of labellings with p and p_less up to 0.05, 0.01, 0.001 and 0.0001 for each motif of 2 to 5, and ends with 1 if
# one of them is above its level by more than five standard deviations.
set -u
export LC_ALL=C
build=$(realpath "${1:?usage: bench/calibration_hubs.sh BUILD [LABELLINGS]}")
labellings=${2:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$build/motifsieve" gen power-law -n 400 -d 4 --exponent -1.7 -q -o power-law.tsv
"$build/motifsieve" gen rmat --scale 8 -d 6 -q -o rmat.tsv
"$build/motifsieve" gen hubs -n 400 -d 5 --exponent -0.5 -q -o hubs.tsv
awk 'BEGIN { s = 42; print "x\ty"; for (i = 0; i < 400; i++) { x = random(); print 1000 * x "\t" 1000 * random() } }
  function random() { s = (s * 16807) % 2147483647; return s / 2147483647 }' >points.tsv
"$build/motifsieve" neighbors points.tsv --knn 6 -q -o plane.tsv
# preferential attachment: each vertex joins three ends of edges
awk 'BEGIN { s = 7; for (v = 1; v < 400; v++) for (i = 0; i < 3; i++) { w = m ? end[int(random() * m)] : 0; if (w == v) w = v - 1
  print v "\t" w; end[m++] = v; end[m++] = w } }
  function random() { s = (s * 16807) % 2147483647; return s / 2147483647 }' | awk '!seen[$1 < $2 ? $1 FS $2 : $2 FS $1]++' >attached.tsv
# cliques of six, a circle of vertices with four neighbours each, and a clique of 20 beside pairs
awk 'BEGIN { for (v = 0; v < 300; v++) for (w = v + 1; w < v - v % 6 + 6; w++) print v "\t" w }' >cliques.tsv
awk 'BEGIN { for (v = 0; v < 400; v++) for (i = 1; i < 3; i++) print v "\t" (v + i) % 400 }' >circle.tsv
awk 'BEGIN { for (v = 0; v < 20; v++) for (w = v + 1; w < 20; w++) print v "\t" w; for (v = 20; v < 320; v += 2) print v "\t" v + 1 }' >block.tsv
graphs="plane attached power-law rmat hubs cliques circle block"
for file in yeast/Collins2007.txt human/HI-II-14.tsv; do
  name=${file##*/}
  name=${name%.*}
  [ -r "${MOTIFSIEVE_DATA:-}/$file.gz" ] && "$build/motifsieve" convert "$MOTIFSIEVE_DATA/$file.gz" -q -o "$name.tsv" &&
    graphs="$graphs $name"
done
status=0
for graph in $graphs; do
  for counts in 5 100,30,8 200,3; do
    for k in 2 3 4 5; do
      echo "## $graph, k = $k"
      "$build/bench/calibration_hubs" $k "$labellings" "${THREADS:-2}" "$graph.tsv" $counts || status=1
    done
  done
done
exit $status
