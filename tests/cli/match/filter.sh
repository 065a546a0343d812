# Filter leaves the right edges, by any number of threads and packed, without losing a match, and
# reports a full device.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# pairs FILE: the edges that filter left, or the matches of one edge, as "a-b c-d"
pairs() {
awk -F '\t' '$1 == "match" { first = 2 } /^#/ || $1 == "source" || $1 == "match" || $2 == "" { next }
  { a = first ? $2 : $1; print (a < $3) ? a "-" $3 : $3 "-" a }' "$1" | sort -u | paste -s -d ' '
}
# files NAME: how many there are, that included, whose names begin so
files() { compgen -G "$1*" | wc -l; }
local triangle='(c:C)-[CbG]-(g:G)-[GiG]-(h:G)-[CbG]-(c)'
exits 0 'a pattern as text' typed-match ring.sif -p "$triangle" -o text.tsv
exits 0 'filter' filter ring.sif -p '(:C)-[CbG]-(:G)' -o left.tsv
check 'filter: edges' same "$(pairs left.tsv | wc -w)" 10
check 'filter: relations' same "$(grep '^#relation' left.tsv | cut -f 2,3 | tr '\t\n' '= ')" 'CbG=CbG GiG=GiG '
check 'filter: columns' same "$(grep -v '^#' left.tsv | head -n 1)" $'source\ttype\ttarget\tsource_type\ttarget_type'
check 'filter: no file but the result' same "$(files left.tsv)" 1
for threads in 1 3; do
  exits 0 "filter --threads $threads" filter ring.sif -p '(:C)-[CbG]-(:G)' -t $threads -v
  check "filter --threads $threads" cmp -s left.tsv out
  check 'filter --verbose' grep -q 'the compound type filter left 10 of 15 edges and 10 of 10 vertices' err
done
exits 0 'filter -o .zst' filter ring.sif -p '(:C)-[CbG]-(:G)' -o left.tsv.zst
exits 0 'what filter left is a graph' typed-match left.tsv.zst -p '(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' --count
check 'what filter left: matches' same "$(cat out)" 5
exits 0 'what filter left, for path' path left.tsv G::0 G::1 --types CbG
check 'what filter left: a path' same "$(rows | cut -f 6,7 | paste -s -d ' ' | tr '\t' ' ')" '- G::0 CbG C::0 CbG G::1'
# a match is in what is left, whatever its pattern
exits 0 'filter by a triangle' filter ring.sif -p triangle.txt -o left.tsv
exits 0 'a triangle in what is left' typed-match left.tsv -p triangle.txt -o again.tsv
check 'the same matches' same "$(rows again.tsv | cut -f 2- | sort)" "$(rows text.tsv | cut -f 2- | sort)"
exits 3 'filter: no room for the output' filter ring.sif -p triangle.txt -o /dev/full
check 'filter: no room' grep -q 'could not be written' err
