#!/usr/bin/env bash
# Are p values uniform if colours are dealt out at random?  bench/calibration.sh MOTIFSIEVE [LABELLINGS]
#
# 400 random points of the plane, joined with their six nearest neighbours, get five colours in random order, LABELLINGS times
# (default 500).  For each, `list --significance --permutations 99` gives a p value by formula and one by permutations, of
# the motif a:2,b.  Then the west gets other numbers of each colour than the east, in random order in each, and `--strata` gives
# a p value by permutations within them.
# Prints the quantiles of each, the distance of Kolmogorov and Smirnov from the uniform distribution, and its
# critical value at the level of 1 %; exits with 1 if one of them is above it.  Numbers of matches are discrete, so that p is a little
# above a uniform number: the distance counts where it is below, too often small.
set -eu
export LC_ALL=C
motifsieve=$(realpath "${1:?usage: bench/calibration.sh MOTIFSIEVE [LABELLINGS]}")
labellings=${2:-500}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk 'BEGIN { s = 42; print "x\ty"; for (i = 0; i < 400; i++) { x = random(); print 1000 * x "\t" 1000 * random() } }
  function random() { s = (s * 16807) % 2147483647; return s / 2147483647 }' >points.tsv
"$motifsieve" neighbors points.tsv --knn 6 -o graph.msb -q
# deal SEED COLOURS: a colour and a stratum for each vertex, in random order within strata.  COLOURS: the names of the colours of
# every other vertex in turn, one name for a vertex of the whole or of the west, and one for the east.
deal() {
  awk -v seed="$1" -v west="$2" -v east="$3" 'BEGIN { s = seed * 7919 + 1
    while ((getline line <"points.tsv") > 0) if (line !~ /^x/) { split(line, x, "\t"); side[n++] = east != "" && x[1] > 500 }
    for (v = 0; v < n; v++) { random(); names = side[v] ? east : west; c[v] = substr(names, v % length(names) + 1, 1) }
    for (v = n - 1; v > 0; v--) { do u = int(random() * n); while (u > v || side[u] != side[v]); t = c[v]; c[v] = c[u]; c[u] = t }
    print "vertex\tcolor\tpart"
    for (v = 0; v < n; v++) print v + 1 "\t" c[v] "\t" (side[v] ? "east" : "west") }
    function random() { s = (s * 16807) % 2147483647; return s / 2147483647 }' >colors.tsv
}
chance() { "$motifsieve" list graph.msb -c colors.tsv -m a:2,b --permutations 99 -q -t 1 "$@"; }
for ((i = 1; i <= labellings; i++)); do
  deal "$i" abcde ''
  chance --significance --seed "$i" | awk -F '\t' '{ value[$1] = $2 } END { printf "%s\t%s\t", value["p"], value["perm_p"] }'
  deal "$i" aabcd abbde
  chance --strata part --seed "$i" | awk -F '\t' '{ value[$1] = $2 } END { print value["perm_p"] }'
done >p.tsv
echo "labellings: $(wc -l <p.tsv); motif a:2,b; $("$motifsieve" --version | head -n 1)"
status=0
names=('' 'p by formula' 'p by 99 permutations' 'p by 99 permutations within strata')
for column in 1 2 3; do
  cut -f $column p.tsv | sort -g | awk -v name="${names[column]}" '
    { p[NR] = $1 }
    END {
      n = NR
      # the share of p values up to p[i], less p[i]
      for (i = 1; i <= n; i++) if (i == n || p[i + 1] > p[i]) { d = i / n - p[i]; if (d > most) most = d; if (p[i] - i / n > least) least = p[i] - i / n }
      critical = 1.5174 / sqrt(n) # one-sided, 1 %
      printf "%s\n  quantiles", name
      for (q = 1; q < 10; q++) printf " %.3f", p[int(n * q / 10)]
      small = 0
      for (i = 1; i <= n; i++) small += p[i] <= 0.05
      printf "\n  share of p <= 0.05: %.3f\n  distance below: %.4f, above: %.4f, critical value: %.4f\n", small / n, most, least, critical
      exit most > critical
    }' || status=1
done
exit $status
