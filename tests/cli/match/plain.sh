# The same on plain graphs with colours, aliases, annotations and filters of each format.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# pairs FILE: the edges that filter left, or the matches of one edge, as "a-b c-d"
pairs() {
awk -F '\t' '$1 == "match" { first = 2 } /^#/ || $1 == "source" || $1 == "match" || $2 == "" { next }
  { a = first ? $2 : $1; print (a < $3) ? a "-" $3 : $3 "-" a }' "$1" | sort -u | paste -s -d ' '
}

# both WANTED PATTERN GRAPH OPTION..: of a pattern with one edge both commands tell the same pairs
both() {
local wanted=$1 pattern=$2 graph=$3 files=() i
shift 3
exits 0 "filter $graph $*" filter "$graph" -p "$pattern" "$@" -o left.tsv
check "filter $graph $*: edges" same "$(pairs left.tsv)" "$wanted"
exits 0 "typed-match $graph $*" typed-match "$graph" -p "$pattern" "$@" -o both.tsv
check "typed-match $graph $*: matches" same "$(pairs both.tsv)" "$wanted"
# what else is said of the inputs is in the result
for ((i = 1; i < $#; i++)); do
  case ${!i} in
  -c | --nodes | --relations | --alias | --obo) files+=("${@:i:2}") ;;
  esac
done
exits 0 "verify $graph $*" verify both.tsv "$graph" -p "$pattern" "${files[@]}"
}
printf 'A\tB\nA\tC\nC\tD\n' >g.tsv
printf 'name,kind,other\nA,red,1\nB,blue,2\nC,red,3\nD,blue,4\n' >kinds.csv
both 'A-B A-C C-D' '()--()' g.tsv --format edge-list
both 'A-C C-D' '()--()' g.tsv --header
both 'A-B C-D' '(:red)--(:blue)' g.tsv -c kinds.csv --color-header
both 'A-C' '(:1)--(:3)' g.tsv -c kinds.csv --name-column name --color-column 3
printf 'A\tprimus\nB\tsecundus\n' >alias.tsv
printf 'primus\tred\nsecundus\tblue\n' >latin.tsv
both 'A-B' '(:red)--(:blue)' g.tsv -c latin.tsv --color-format tsv --alias alias.tsv
printf 't 0 3\nv 0 red\nv 1 blue\nv 2 blue\ne 0 1\ne 1 2\n' >g.tve
both '0-1' '(:red)--(:blue)' g.tve --color-format graph
printf 'protein1 protein2 combined_score\n1.a 1.b 900\n1.b 1.c 100\n' >links.txt
both 'a-b b-c' '()--()' links.txt
both '1.a-1.b' '()--()' links.txt --min-score 500 --keep-taxon
awk 'BEGIN { OFS = "\t"
  print "#BioGRID Interaction ID", "Entrez Gene Interactor A", "Entrez Gene Interactor B",
    "Official Symbol Interactor A", "Official Symbol Interactor B", "Experimental System",
    "Experimental System Type", "Organism ID Interactor A", "Organism ID Interactor B"
  print 1, 11, 12, "H1", "H2", "Two-hybrid", "physical", 9606, 9606
  print 2, 13, 12, "H3", "H2", "Dosage Rescue", "genetic", 9606, 9606
  print 3, 11, 21, "H1", "Y1", "FRET", "physical", 9606, 559292 }' >two.tab3.txt
both '11-12 12-13' '()--()' two.tab3.txt --taxon 9606 --names entrez
both 'H1-H2 H1-Y1' '()--()' two.tab3.txt --system physical
# gaf_line VERTEX TERM ASPECT
gaf_line() { printf 'X\t%s\t%s\t\t%s\tREF:1\tIDA\t\t%s\t\t\tprotein\ttaxon:1\t20200101\tX\t\t\n' "$1" "$1" "$2" "$3"; }
{ echo '!gaf-version: 2.2'; gaf_line A T:3 P; gaf_line B T:4 P; gaf_line C T:4 P; gaf_line D T:9 F; } >a.gaf
printf '%s\n' '[Term]' 'id: T:1' 'name: process' 'subset: small' '[Term]' 'id: T:2' 'name: repair' 'is_a: T:1' \
  'subset: small' '[Term]' 'id: T:3' 'name: excision' 'is_a: T:2' '[Term]' 'id: T:4' 'name: copying' 'is_a: T:1' \
  '[Term]' 'id: T:9' 'name: function' >t.obo
both 'A-B A-C' '(:`T:3`)--(:`T:4`)' g.tsv -c a.gaf --color-format gaf
both 'A-B A-C' '(:excision)--(:copying)' g.tsv -c a.gaf --obo t.obo
both 'A-B A-C' '(:repair)--(:process)' g.tsv -c a.gaf --obo t.obo --slim small
both 'C-D' '(:copying)--(:function)' g.tsv -c a.gaf --obo t.obo
both 'C-D' '(:copying)--(:untyped)' g.tsv -c a.gaf --obo t.obo --aspect PC
