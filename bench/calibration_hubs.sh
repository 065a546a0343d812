#!/usr/bin/env bash
# Is p too often small in networks with hubs?  bench/calibration_hubs.sh BUILD [LABELLINGS]
#
# Networks with hubs (power law, R-MAT, trees of hubs), with dense blocks (cliques of 6, cliques of 12, a clique of 20 beside
# pairs), without either (a circle, points of the plane), and, where $MOTIFSIEVE_DATA has them, proteins of yeast and human get
# common and rare colours at random, LABELLINGS times (default 20000; fewer where there are many sets).  Some proteins get their
# own colours at random.
# Prints the shares of labellings with p and p_less up to 0.05, 0.01, 0.001 and 0.0001 over the motifs of 2 to 5, as
# calibration_hubs.c says, and then a line for each network.  Ends with 1 if one of the shares is above its level by more than
# five standard deviations.
set -u
export LC_ALL=C
build=$(realpath "${1:?usage: bench/calibration_hubs.sh BUILD [LABELLINGS]}")
labellings=${2:-20000}
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
# cliques of 6 and of 12, a circle of vertices with four neighbours each, and a clique of 20 beside pairs
awk 'BEGIN { for (v = 0; v < 300; v++) for (w = v + 1; w < v - v % 6 + 6; w++) print v "\t" w }' >cliques-6.tsv
awk 'BEGIN { for (v = 0; v < 240; v++) for (w = v + 1; w < v - v % 12 + 12; w++) print v "\t" w }' >cliques-12.tsv
awk 'BEGIN { for (v = 0; v < 400; v++) for (i = 1; i < 3; i++) print v "\t" (v + i) % 400 }' >circle.tsv
awk 'BEGIN { for (v = 0; v < 20; v++) for (w = v + 1; w < 20; w++) print v "\t" w; for (v = 20; v < 320; v += 2) print v "\t" v + 1 }' >block.tsv
graphs="plane circle attached power-law rmat hubs cliques-6 cliques-12 block"
own=
data=${MOTIFSIEVE_DATA:-}
for file in yeast/Collins2007.txt human/HI-II-14.tsv; do
  name=${file##*/}
  name=${name%.*}
  [ -r "$data/$file.gz" ] && "$build/motifsieve" convert "$data/$file.gz" -q -o "$name.tsv" && graphs="$graphs $name"
done
# the first place of each protein in the cell, and networks that come with one label for each protein
if [ -r Collins2007.tsv ] && [ -r "$data/yeast/huh_loc_070804.txt.gz" ]; then
  gzip -dc "$data/yeast/huh_loc_070804.txt.gz" |
    awk 'NR > 1 && NF > 1 && !seen[$1]++ { name = $1; $1 = ""; gsub(/[ ,]+/, "-"); print name "\t" substr($0, 2) }' >places.tsv
  "$build/motifsieve" convert Collins2007.tsv -c places.tsv --ignore-unknown -q -o Collins2007-places.msb && own="$own Collins2007-places.msb"
fi
if [ -r "$data/labelled/snu_yeast_human_tve.tar.gz" ]; then
  tar xzf "$data/labelled/snu_yeast_human_tve.tar.gz" --strip-components 3 dataset/{yeast,human}/data_graph
  own="$own yeast.graph human.graph"
fi

status=0
# study K GRAPH COLORS: nothing where a smaller K had too many sets
large=
study() {
  case " $large " in *" $2 "*) return ;; esac
  echo "## $2, k = $1"
  "$build/bench/calibration_hubs" "$1" "$labellings" "${THREADS:-2}" "$2" "$3" >one || status=1
  cat one
  ! grep -q 'are too many$' one || large="$large $2"
}
{
  for k in 2 3 4 5; do
    for graph in $graphs; do
      for counts in 5 100,30,8 200,3; do study $k "$graph.tsv" $counts; done
    done
    for graph in $own; do study $k "$graph" own; done
  done
  echo $status >status
} | tee all
echo '## each network: motifs, then the mean and the greatest share over these, of p and p_less together'
awk -F '\t' '
  /^## / { split($0, word, /[ ,]+/); name = word[2]; if (!(name in seen)) order[++n] = name; seen[name] = 1 }
  $2 == "mean" { motifs[name, $1] += $3; for (i = 0; i < 8; i++) sum[name, $1, i % 4] += $3 * $(4 + i) / 2 }
  $2 == "greatest" { for (i = 0; i < 8; i++) if ($(4 + i) > most[name, $1, i % 4]) most[name, $1, i % 4] = $(4 + i) }
  $2 == "excess" { for (i = 0; i < 8; i++) excess[name, $1] += $(4 + i) }
  END {
    print "network\tp_by\tmotifs\tmean<=0.05\t0.01\t0.001\t0.0001\tgreatest<=0.05\t0.01\t0.001\t0.0001\texcess"
    for (g = 1; g <= n; g++) for (b = 0; b < 2; b++) {
      by = b ? "bound" : "fit"
      if (!((order[g], by) in motifs)) continue
      printf "%s\t%s\t%d", order[g], by, motifs[order[g], by]
      for (i = 0; i < 4; i++) printf "\t%.5f", sum[order[g], by, i] / motifs[order[g], by]
      for (i = 0; i < 4; i++) printf "\t%.5f", most[order[g], by, i]
      print "\t" excess[order[g], by]
    }
  }' all
exit "$(cat status)"
