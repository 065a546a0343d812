# Patterns from text, files, standard input and tables find the same matches, and unknown types
# bring a warning.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# pairs FILE: the edges that filter left, or the matches of one edge, as "a-b c-d"
pairs() {
awk -F '\t' '$1 == "match" { first = 2 } /^#/ || $1 == "source" || $1 == "match" || $2 == "" { next }
  { a = first ? $2 : $1; print (a < $3) ? a "-" $3 : $3 "-" a }' "$1" | sort -u | paste -s -d ' '
}
# hits [FILE]: rows of typed-match without their numbers, "a,b c,d"
hits() { rows "${1:-out}" | cut -f 2- | tr '\t' ',' | paste -s -d ' '; }
local triangle='(c:C)-[CbG]-(g:G)-[GiG]-(h:G)-[CbG]-(c)'
exits 0 'a pattern as text' typed-match ring.sif -p "$triangle" -o text.tsv
check 'a pattern as text: matches' same "$(hits text.tsv)" 'C::0,G::0,G::1 C::1,G::1,G::2 C::2,G::2,G::3 C::3,G::3,G::4 C::4,G::0,G::4'
printf '# a triangle\r\n(c:C)-[CbG]-(g:G)\r\n\r\n(g)-[GiG]-(h:G)-[CbG]-(c)\r\n' >triangle.txt
exits 0 'a pattern in a file' typed-match ring.sif -p triangle.txt -o file.tsv
check 'a pattern in a file: matches' same "$(rows file.tsv)" "$(rows text.tsv)"
check 'a pattern in a file: its path' grep -q '^# pattern: triangle.txt crc32c=[0-9a-f]\{8\} vertices=3 edges=3$' file.tsv
timeout 60 "$motifsieve" typed-match ring.sif -p - <triangle.txt >out 2>err
check 'a pattern from standard input' same "$(rows)" "$(rows text.tsv)"
timeout 60 "$motifsieve" typed-match - -p triangle.txt <ring.sif >out 2>err
check 'a graph from standard input' same "$(rows)" "$(rows text.tsv)"
printf 'source\ttype\ttarget\tsource_type\ttarget_type\nc\tCbG\tg\tC\tG\ng\t*\th\tG\tG\nh\tCbG\tc\tG\tC\n' >triangle.tsv
exits 0 'a pattern of typed edges' typed-match ring.sif -p triangle.tsv -o edges.tsv
check 'a pattern of typed edges: matches' same "$(rows edges.tsv | sort)" "$(rows text.tsv | sort)"
for form in text:"$triangle" file:triangle.txt edges:triangle.tsv; do
  exits 0 "verify, ${form%%:*}" verify "${form%%:*}.tsv" ring.sif -p "${form#*:}"
done
exits 0 'a type by a bad name' filter ring.sif -p '(:C)-[CbX]-(:G)' -o left.tsv
check 'a type by a bad name: a word on stderr' grep -q "warning: the graph has no type 'CbX', which the pattern names; did you mean 'CbG'?" err
check 'a type by a bad name: no edges' same "$(pairs left.tsv)" ''
exits 0 'an unknown type' typed-match ring.sif -p '(:C)-[CbG]-(:Perpetuum)'
check 'an unknown type: what there is' grep -q "no type 'Perpetuum', which the pattern names; it has 'C', 'G', 'CbG', 'GiG'" err
check 'an unknown type: no match' same "$(hits)" ''
exits 0 '--quiet' typed-match ring.sif -p '(:C)-[CbG]-(:Perpetuum)' --quiet
check '--quiet: no warning' test ! -s err
exits 5 '--fail-if-none' typed-match ring.sif -p '(:C)-[GiG]-(:G)' --fail-if-none
check '--fail-if-none still writes' grep -qx '# matches: 0' out
exits 5 '--fail-if-none --inexact' typed-match ring.sif -p '(:C)-[CbX]-(:C)' --inexact --fail-if-none
