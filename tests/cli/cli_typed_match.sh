#!/usr/bin/env bash
# motifsieve filter and motifsieve typed-match, end to end.
# Usage: tests/cli/cli_typed_match.sh PATH/TO/motifsieve
set -u

drugs=$(cd "$(dirname "$0")/../../examples/drugs" && pwd)
# shellcheck source=tests/cli/cli_lib.sh
. "$(dirname "$0")/cli_lib.sh"

# ---- filter and typed-match: the same inputs ----------------------------------------
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

typed_formats() {
  printf 'source\tmetaedge\ttarget\nDrug::1\tDbG\tGene::1\nGene::1\tGr>G\tGene::2\nDrug::2\tDbG\tGene::2\nDrug::1\tDrD\tDrug::2\n' >het.tsv
  both 'Drug::1-Gene::1 Drug::2-Gene::2' '(:Drug)-[DbG]-(:Gene)' het.tsv
  both 'Gene::1-Gene::2' '(:Gene)-[Gr>G]->(:Gene)' het.tsv --format hetionet
  both 'Gene::1-Gene::2' '(:Gene)<-[G<rG]-(:Gene)' het.tsv
  printf 'key\tlabel\tclass\nDrug::1\tone\told\nDrug::2\ttwo\tnew\nGene::1\tg\tgene\nGene::2\th\tgene\n' >kinds.tsv
  both 'Drug::2-Gene::2' '(:new)--(:gene)' het.tsv --nodes kinds.tsv --node-column key --node-type-column class
  both 'Drug::1-Gene::1' '(:one)--(:g)' het.tsv --nodes kinds.tsv --node-column 1 --node-type-column label
  printf 'a r b\nb s c\nb r d e\n' >net.blanks
  both 'a-b b-d b-e' '()-[r]-()' net.blanks --format sif
  printf 'id\tkind\na\tout\nb\tboth\n' >ends.tsv
  both 'a-b' '(:both)<-[r]-()' net.blanks --format sif --directed --nodes ends.tsv
  check '--directed is told' grep -qx '# directed: 1' both.tsv
  printf 'r\tr-of\ns\ts\n' >ways.tsv
  both 'a-b' '(:both)-[r-of]->()' net.blanks --format sif --relations ways.tsv --nodes ends.tsv
  printf 'u\tk\tv\tku\tkv\na\tr\tb\tX\tY\nb\tr\tc\tY\tX\nc\ts\ta\tX\tX\n' >table.tsv
  both 'a-b b-c' '(:X)-[r]-(:Y)' table.tsv --source-column u --target-column v --type-column k \
    --source-type-column ku --target-type-column kv
  both 'a-b' '(:X)-->(:Y)' table.tsv --source-column 1 --target-column 3 --type-column none \
    --source-type-column 4 --target-type-column 5 --directed
  check 'no types of edges' grep -q '^# type_column: none$' both.tsv
  printf 'source\ttype\ttarget\nx\tr\ty\n' >named.tsv
  both 'x-y' '()-[r]-()' named.tsv --format table
  gzip -c het.tsv >het.gz
  both 'Gene::1-Gene::2' '(:Gene)--(:Gene)' het.gz
}

plain_formats() {
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
}

# gaf_line VERTEX TERM ASPECT
gaf_line() { printf 'X\t%s\t%s\t\t%s\tREF:1\tIDA\t\t%s\t\t\tprotein\ttaxon:1\t20200101\tX\t\t\n' "$1" "$1" "$2" "$3"; }

plain_annotations() {
  { echo '!gaf-version: 2.2'; gaf_line A T:3 P; gaf_line B T:4 P; gaf_line C T:4 P; gaf_line D T:9 F; } >a.gaf
  printf '%s\n' '[Term]' 'id: T:1' 'name: process' 'subset: small' '[Term]' 'id: T:2' 'name: repair' 'is_a: T:1' \
    'subset: small' '[Term]' 'id: T:3' 'name: excision' 'is_a: T:2' '[Term]' 'id: T:4' 'name: copying' 'is_a: T:1' \
    '[Term]' 'id: T:9' 'name: function' >t.obo
  both 'A-B A-C' '(:`T:3`)--(:`T:4`)' g.tsv -c a.gaf --color-format gaf
  both 'A-B A-C' '(:excision)--(:copying)' g.tsv -c a.gaf --obo t.obo
  both 'A-B A-C' '(:repair)--(:process)' g.tsv -c a.gaf --obo t.obo --slim small
  both 'C-D' '(:copying)--(:function)' g.tsv -c a.gaf --obo t.obo
  both 'C-D' '(:copying)--(:untyped)' g.tsv -c a.gaf --obo t.obo --aspect PC
}

# ---- filter and typed-match: patterns, search, outputs ---------------------------------
# ring_of N: compounds 1..N, genes 1..N; compound i binds genes i and i+1, gene i and i+1 interact
ring_of() {
  printf 'source\tmetaedge\ttarget\n'
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { j = (i + 1) % n
    printf "C::%d\tCbG\tG::%d\nC::%d\tCbG\tG::%d\nG::%d\tGiG\tG::%d\n", i, i, i, j, i, j } }'
}

# files NAME: how many there are, that included, whose names begin so
files() { compgen -G "$1*" | wc -l; }

# hits [FILE]: rows of typed-match without their numbers, "a,b c,d"
hits() { rows "${1:-out}" | cut -f 2- | tr '\t' ',' | paste -s -d ' '; }

typed_patterns() {
  local triangle='(c:C)-[CbG]-(g:G)-[GiG]-(h:G)-[CbG]-(c)'
  ring_of 5 >ring.sif
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
}

typed_bad_patterns() {
  printf '# one\n(a:C)-[CbG]-(b:G)\n(b)-[GiG]-(é:G\n' >bad.txt
  printf 'source\ttype\ttarget\na\tr\n' >bad.tsv
  : >empty.txt
  for command in filter typed-match; do
    refuses 2 "the pattern: line 1, column 10: expected ']', found '\(:G\)'" $command ring.sif -p '(:C)-[CbG(:G)'
    refuses 2 "the pattern: line 2, column 5: expected an edge, a comma or the end, found 'x'" $command ring.sif -p $'(a)\n(b) x'
    refuses 2 "the pattern: line 1, column 4: an edge points both ways" $command ring.sif -p '(a)<-[GiG]->(b)'
    refuses 2 "the pattern: line 1, column 17: vertex 'a' is given types twice" $command ring.sif -p '(a:C)--(:G)--(a:G)'
    refuses 2 "the pattern: line 1, column 5: expected a type, found '\|b\)'" $command ring.sif -p '(a: |b)'
    refuses 3 "bad.txt: line 3, column 15: expected '\)', found the end of the line" $command ring.sif -p bad.txt
    refuses 3 'bad.tsv:2: ' $command ring.sif -p bad.tsv
    refuses 3 'empty.txt:?.* holds no pattern; write one such as' $command ring.sif -p empty.txt
    refuses 3 'nowhere.txt: cannot open' $command ring.sif -p nowhere.txt
    refuses 3 'nowhere.sif: cannot open' $command nowhere.sif -p '(a)'
    refuses 3 'nowhere.tsv: cannot open' $command ring.sif -p '(a)' --nodes nowhere.tsv
    refuses 2 'no GRAPH file was given' $command -p '(a)'
    refuses 2 "no pattern: give --pattern .*'motifsieve $command --help'" $command ring.sif
    refuses 2 "option --pattern wants a pattern, or a file that holds one, not ''" $command ring.sif -p ''
    refuses 2 'only one input can come from standard input' $command - -p -
    refuses 2 "'ring.sif' is one word too many|ring.sif" $command ring.sif ring.sif -p '(a)'
    refuses 2 'option --format wants auto, hetionet, sif, table, or a plain format' $command ring.sif -p '(a)' --format gexf
    refuses 2 '--colors is for plain graphs, but the edges of ring.sif have types' $command ring.sif -p '(a)' -c kinds.csv
    refuses 2 'ring.sif is to be read as lad, a plain format' $command ring.sif -p '(a)' --format lad --nodes kinds.tsv
    refuses 2 'option --threads wants' $command ring.sif -p '(a)' -t none
    refuses 2 "is the input 'ring.sif'" $command ring.sif -p '(a)' -o ./ring.sif
    refuses 2 "is the input 'triangle.txt'" $command ring.sif -p triangle.txt -o triangle.txt
    refuses 3 'no/such/folder: cannot be created' $command ring.sif -p '(a)' -o no/such/folder
    exits 0 "$command --help" $command --help
    check "$command --help" grep -q "^Usage: motifsieve $command GRAPH --pattern PATTERN" out
    exits 0 "$command --list-formats" $command --list-formats
    check "$command --list-formats" same "$(grep -oE '^[a-z-]+: ' out | paste -s -d '')" 'hetionet: sif: table: '
  done
  refuses 2 "option '--limit' is not one of 'motifsieve filter'" filter ring.sif -p '(a)' --limit 3
}

filter_results() {
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
}

# What filter leaves goes into any command: types of vertices are colours.
filtered_anywhere() {
  printf '#relation:\tr\t^r\nsource\ttype\ttarget\tsource_type\ttarget_type\na\tr\tb\tX\tY\nb\ts\tc\tY\tX\nc\ts\td\tX\tY\n' >all.tsv
  exits 0 'filter to be passed on' filter all.tsv -p '(:X)-[s]-(:Y)' -o part.tsv
  exits 0 'components of a table' components part.tsv --count
  check 'components of a table' same "$(cat out)" 1
  exits 0 'list in a table' list part.tsv -p path:3 --count
  check 'list in a table' same "$(cat out)" 1
  exits 0 'screen a table' screen part.tsv -m X:1,Y:2
  check 'screen a table' same "$(rows | cut -f 1-3 | tr '\t\n' ', ')" 'c,X,1 b,Y,1 d,Y,1 '
  check 'the table is told' grep -q 'edges=2 format=table ' out
  exits 0 'a listing of a table' list all.tsv -m X,Y --exact -o list.tsv
  exits 0 'verified with the table' verify list.tsv all.tsv
  exits 0 'a directed table' list all.tsv -p <(printf 'x y\n') --directed --count
  check 'a directed table' same "$(cat out)" 3
  exits 0 'convert a table' convert all.tsv --to tve
  check 'convert a table' same "$(grep -c '^v' out)" 4
  exits 0 'convert --format table' convert all.tsv --format table --nodes <(printf 'a\tX\nz\tZ\n') --to tve
  check 'convert --format table --nodes' same "$(grep -c '^v' out)" 5
  exits 0 'nothing is left' filter all.tsv -p '(:X)-[q]-(:Y)' -q -o none.tsv
  exits 0 'nothing is read' typed-match none.tsv -p '(:X)-[s]-(:Y)' -q -o empty.tsv
  check 'no match in nothing' grep -qx '# matches: 0' empty.tsv
  exits 0 'verified with nothing' verify empty.tsv none.tsv -p '(:X)-[s]-(:Y)'
  refuses 3 'none.tsv: a table without edges and vertices' components none.tsv
  printf 'a\tb\n' >plain.tsv
  exits 0 'an edge list' typed-match plain.tsv -p '(x)--(y)' --count
  check 'an edge list is told' grep -q 'plain.tsv is read as an edge list, whose edges have one type' err
  exits 0 'nothing near' typed-match all.tsv -p '(:X)-[q]-(:Y)' --inexact
  check 'nothing near is told' grep -q "so there is nothing to score; allow further types" err
}

# As docs/TYPED.md shows it.
match_examples() {
  exits 0 'the example' typed-match "$drugs/drugs.sif" -p "$drugs/ring.pattern"
  check 'the example' same "$(hits)" \
    'Compound::imatinib,Gene::ABL1,Disease::CML Compound::imatinib,Gene::KIT,Disease::GIST'
  exits 0 'the example, inexact' typed-match "$drugs/drugs.sif" -p "$drugs/ring.pattern" --inexact
  check 'the example, inexact' same "$(rows | sed -n 3p)" $'3\t7\tCompound::dasatinib\tGene::ABL1\tDisease::CML'
  exits 0 'a path of the example' path "$drugs/drugs.sif" Compound::dasatinib Disease::GIST
  check 'a path of the example' same "$(rows | cut -f 7 | paste -s -d ' ')" \
    'Compound::dasatinib Gene::ABL1 Compound::imatinib Disease::GIST'
}

# A map that holds a vertex twice is one with what the pattern's symmetry makes of it.
match_inexact_symmetric() {
  printf 'C\tX\nX\tU\nX\tV\n' >branch.tsv
  exits 0 'inexact, symmetric' typed-match branch.tsv -p '(c)--(x)--(u), (c)--(y)--(v)' --inexact --best 40 -q
  rows | cut -f 3- | awk -F '\t' '{ a = $2 " " $3; b = $4 " " $5; print $1, (a < b) ? a " " b : b " " a }' | sort >maps
  check 'inexact, symmetric: some' test "$(wc -l <maps)" -ge 10
  check 'inexact, symmetric: each once' same "$(uniq -d maps)" ''
}

# Counts beyond 64 bits, which no search could visit one by one.
match_long_counts() {
  awk 'BEGIN { print "source\ttype\ttarget"; for (i = 0; i < 1000; i++) print "hub\tr\tleaf" i }' >star.tsv
  exits 0 'a count of 78 bits' typed-match star.tsv --count -v \
    -p '(h)-[r]-(a),(h)-[r]-(b),(h)-[r]-(c),(h)-[r]-(d),(h)-[r]-(e),(h)-[r]-(f),(h)-[r]-(g),(h)-[r]-(i),(h)-[r]-(j),(h)-[r]-(k)'
  check 'a count of 78 bits' same "$(cat out)" 263409560461970212832400
  check 'how it was counted' grep -q 'counted as a plain pattern' err
}

match_search() {
  local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'
  exits 0 'subgraphs' typed-match ring.sif -p "$v" -o subgraphs.tsv
  check 'subgraphs: rows' same "$(hits subgraphs.tsv)" 'C::0,G::0,C::4 C::0,G::1,C::1 C::1,G::2,C::2 C::2,G::3,C::3 C::3,G::4,C::4'
  check 'subgraphs: head' same "$(grep -cx -e '# semantics: subgraphs' -e '# automorphisms: 2' -e '# mode: exact' subgraphs.tsv)" 3
  exits 0 '--subgraphs --exact' typed-match ring.sif -p "$v" --subgraphs --exact
  check '--subgraphs --exact is the default' cmp -s out subgraphs.tsv
  exits 0 '--embeddings' typed-match ring.sif -p "$v" --embeddings -o embeddings.tsv
  check '--embeddings: both ways' same "$(rows embeddings.tsv | cut -f 2- | sort)" \
    "$(rows subgraphs.tsv | awk -F '\t' '{ print $2 "\t" $3 "\t" $4; print $4 "\t" $3 "\t" $2 }' | sort)"
  check '--embeddings: head' grep -qx '# semantics: embeddings' embeddings.tsv
  exits 0 '--count' typed-match ring.sif -p "$v" -n
  check '--count' same "$(cat out)" 5
  exits 0 '--count --embeddings' typed-match ring.sif -p "$v" -n --embeddings
  check '--count --embeddings' same "$(cat out)" 10
  for threads in 1 2 7; do
    exits 0 "--threads $threads" typed-match ring.sif -p "$v" -t $threads -v
    check "--threads $threads: the same bytes" cmp -s out subgraphs.tsv
  done
  check '--verbose: filter' grep -q 'the compound type filter left 10 of 15 edges, between 10 of 10 vertices' err
  check '--verbose: walk' grep -q 'a walk of 4 steps left 10 active vertices' err
  check '--verbose: matches' grep -q '5 subgraphs (the pattern has 2 automorphisms), each listed match verified' err
  for walk in '--walk euler' '--walk random' '--walk random --walk-length 40 --seed 7'; do
    # shellcheck disable=SC2086
    exits 0 "$walk" typed-match ring.sif -p "$v" $walk -v
    check "$walk: the same rows" same "$(rows | cut -f 2- | sort)" "$(rows subgraphs.tsv | cut -f 2- | sort)"
  done
  check '--walk-length is taken' grep -q 'a walk of 40 steps' err
  refuses 2 '--embeddings and --subgraphs do not go together' typed-match ring.sif -p "$v" --embeddings --subgraphs
  refuses 2 '--exact and --inexact do not go together' typed-match ring.sif -p "$v" --exact --inexact
  refuses 2 '--best is for --inexact' typed-match ring.sif -p "$v" --best 3
  refuses 2 '--walk-length is for --walk random' typed-match ring.sif -p "$v" --walk-length 9
  refuses 2 'option --walk wants euler or random' typed-match ring.sif -p "$v" --walk home
  refuses 2 'option --best wants a whole number from 1' typed-match ring.sif -p "$v" --inexact --best 0
  refuses 2 'option --limit wants' typed-match ring.sif -p "$v" --limit -1
  refuses 2 'option --seed wants' typed-match ring.sif -p "$v" --seed x
  refuses 2 'option --memory wants' typed-match ring.sif -p "$v" --memory 0
  refuses 2 'option --timeout wants' typed-match ring.sif -p "$v" --timeout soon
}

match_inexact() {
  local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' square='(a:C)-[CbG]-(g:G)-[GiG]-(h:G)-[GiG]-(i:G)-[CbG]-(a)'
  exits 0 '--inexact' typed-match ring.sif -p "$v" --inexact --best 5 -o near.tsv
  check '--inexact: exact matches first' same "$(rows near.tsv | cut -f 3- | sort)" "$(rows subgraphs.tsv | cut -f 2- | sort)"
  check '--inexact: columns' same "$(grep -v '^#' near.tsv | head -n 1)" $'match\tscore\ta\tg\tb'
  check '--inexact: head' same "$(grep -cx -e '# mode: inexact' -e '# walk: euler' -e '# walk_length: 4' -e '# best_score: 6' near.tsv)" 4
  check '--inexact: the best score' same "$(rows near.tsv | cut -f 2 | sort -u)" 6
  check '--inexact: complete' grep -qx '# status: complete' near.tsv
  exits 0 '--inexact, ten unless said' typed-match ring.sif -p "$v" --inexact
  check '--inexact: ten' same "$(rows | wc -l)" 10
  check '--inexact: scores fall' same "$(rows | cut -f 2)" "$(rows | cut -f 2 | sort -rn)"
  check '--inexact: the others have less' same "$(rows | cut -f 2 | grep -cx 6)" 5
  # a tour of 8 steps, 4 edges; no compound binds both ends of a chain of three genes
  exits 0 '--inexact of what is not there' typed-match ring.sif -p "$square" --inexact --best 4
  check 'not there: best_score' grep -qx '# best_score: 12' out
  check 'not there: less' same "$(rows | wc -l) $(rows | awk '$2 >= 12' | wc -l)" '4 0'
  exits 0 '--inexact --embeddings' typed-match ring.sif -p "$v" --inexact --embeddings --best 10
  check '--inexact --embeddings: all' same "$(rows | cut -f 3- | sort)" "$(rows embeddings.tsv | cut -f 2- | sort)"
  exits 0 '--inexact, random walk' typed-match ring.sif -p "$v" --inexact --walk random --walk-length 9 --seed 5 --best 5 -o one.out -t 1
  check 'random walk: head' same "$(grep -cx -e '# walk: random' -e '# seed: 5' -e '# walk_length: 9' -e '# best_score: 11' one.out)" 4
  check 'random walk: exact matches' same "$(rows one.out | cut -f 3- | sort)" "$(rows subgraphs.tsv | cut -f 2- | sort)"
  exits 0 '--inexact by threads' typed-match ring.sif -p "$v" --inexact --walk random --walk-length 9 --seed 5 --best 5 -t 3
  check '--inexact by threads: the same bytes' cmp -s out one.out
  exits 0 '--inexact --json' typed-match ring.sif -p "$v" --inexact --json --best 2
  check '--inexact --json: rows' same "$(grep -c '^{"type":"match","match":[12],"score":6,"vertices":\["C::' out)" 2
  exits 4 '--inexact --timeout' typed-match ring.sif -p "$v" --inexact --timeout 0.000001s
  check '--inexact --timeout: nothing worse in place of what is best' same "$(rows | awk '$2 < 6' | wc -l)" 0
  check '--inexact --timeout: status' grep -qx '# status: incomplete: time' out
  refuses 2 '--count is for exact matches' typed-match ring.sif -p "$v" --inexact --count
  refuses 2 '--limit is for exact matches' typed-match ring.sif -p "$v" --inexact --limit 3
  refuses 2 'falls into parts that no edge joins' typed-match ring.sif -p '(a:C), (b:G)' --inexact
  refuses 2 'a walk of 5000 steps is too long' typed-match ring.sif -p "$v" --inexact --walk random --walk-length 5000
  refuses 2 'the result was made with --inexact' verify near.tsv ring.sif -p "$v"
}

# altered SED..: subgraphs.tsv with something else in it, its last line made right
altered() {
  sed "$@" subgraphs.tsv >altered.tsv
  python3 - altered.tsv <<'PY'
import sys
table = []
for c in range(256):
    for _ in range(8):
        c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
    table.append(c)
data = open(sys.argv[1], "rb").read()
data = data[:data.rindex(b"# end:")]
rows = sum(line[:1].isdigit() for line in data.split(b"\n"))
crc = 0xFFFFFFFF
for byte in data:
    crc = crc >> 8 ^ table[(crc ^ byte) & 255]
open(sys.argv[1], "wb").write(data + b"# end: rows=%d crc32c=%08x\n" % (rows, crc ^ 0xFFFFFFFF))
PY
}

match_verified() {
  local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'
  exits 0 'verify' verify subgraphs.tsv ring.sif -p "$v"
  sed 's/C::2$/C::3/' subgraphs.tsv >broken.tsv
  refuses 3 'broken.tsv: refused: the file was changed or damaged' verify broken.tsv ring.sif -p "$v"
  ring_of 6 >other.sif
  refuses 3 'other.sif is not the graph' verify subgraphs.tsv other.sif -p "$v"
  if ! command -v python3 >/dev/null; then
    skip 'altered results are not made: no python3'
    return
  fi
  altered ''
  check 'the checksum is right' cmp -s altered.tsv subgraphs.tsv
  altered 's/^\(3\tC::1\t\)G::2/\1G::4/'
  refuses 3 'altered.tsv.* edge' verify altered.tsv ring.sif -p "$v"
  altered 's/^\(3\tC::1\t\)G::2/\1C::0/'
  refuses 3 'altered.tsv.* type' verify altered.tsv ring.sif -p "$v"
  altered 's/^\(3\tC::1\t\)G::2/\1G::9/'
  refuses 3 "altered.tsv.* 'G::9'" verify altered.tsv ring.sif -p "$v"
  altered 's/^\(3\tC::1\tG::2\t\)C::2/\1C::1/'
  refuses 3 'altered.tsv.*: match [34] repeats (a vertex|an earlier one)' verify altered.tsv ring.sif -p "$v"
  altered 's/^3\tC::1\tG::2\tC::2/3\tC::2\tG::2\tC::1/'
  refuses 3 'altered.tsv.* smallest' verify altered.tsv ring.sif -p "$v"
  altered 's/^4\t.*/4\tC::1\tG::2\tC::2/'
  refuses 3 'altered.tsv.*: match [34] repeats (a vertex|an earlier one)' verify altered.tsv ring.sif -p "$v"
  altered -e '/^5/d' -e 's/^# matches: 5/# matches: 4/'
  refuses 3 'altered.tsv.* 1 match is missing, for example C::3,G::4,C::4' verify altered.tsv ring.sif -p "$v"
  altered 's/^# matches: 5/# matches: 6/'
  refuses 3 'altered.tsv.* 6' verify altered.tsv ring.sif -p "$v"
  altered 's/^# automorphisms: 2/# automorphisms: 1/'
  refuses 3 'altered.tsv.* automorphisms' verify altered.tsv ring.sif -p "$v"
}

match_limits() {
  local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'
  exits 4 '--limit' typed-match ring.sif -p "$v" --limit 2 -o few.tsv
  check '--limit: the first' same "$(rows few.tsv)" "$(rows subgraphs.tsv | head -n 2)"
  check '--limit: status' same "$(grep -cx -e '# status: incomplete: limit' -e '# matches: 2' few.tsv)" 2
  check '--limit: a word on stderr' grep -q 'warning: stopped by --limit after 2 matches; the result is incomplete' err
  exits 0 '--limit: what there is verifies' verify few.tsv ring.sif -p "$v"
  exits 0 '--limit that is not reached' typed-match ring.sif -p "$v" --limit 6
  check '--limit not reached: complete' grep -qx '# status: complete' out
  exits 4 '--limit --count' typed-match ring.sif -p "$v" --limit 2 --count --json
  check '--limit --count: status' grep -q '"count":"2".*"status":"incomplete: limit"' out
  exits 4 '--timeout' typed-match ring.sif -p "$v" --timeout 0.000001s -o late.tsv
  check '--timeout: status' same "$(grep -cx -e '# status: incomplete: time' -e '# matches: 0' late.tsv)" 2
  exits 0 '--timeout: the end verifies' verify late.tsv ring.sif -p "$v"
  exits 4 '--timeout --count' typed-match ring.sif -p "$v" --timeout 0.000001s --count
  check '--timeout --count: a word on stderr' grep -q 'warning: out of time after 0 matches' err
  exits 4 '--quiet --timeout' typed-match ring.sif -p "$v" --timeout 0.000001s --count --quiet
  check '--quiet --timeout: not a word' test ! -s err
}

match_outputs() {
  local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' long='(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)'
  # paths of twelve in K(20): 20!/8!/2
  { printf 'source\tmetaedge\ttarget\n'
    awk 'BEGIN { for (i = 0; i < 20; i++) for (j = 0; j < i; j++) printf "G::%d\tGiG\tG::%d\n", i, j }'; } >k20.sif
  exits 4 'many matches, a little time' typed-match k20.sif -p "$long" --timeout 0.3s -o many.tsv.gz
  check 'many matches: no file but the result' same "$(files many)" 1
  check 'many matches: to the end' same "$(gzip -dc many.tsv.gz | grep -c -e '^# status: incomplete: time$' -e '^# end: rows=[1-9]')" 2
  "$motifsieve" typed-match k20.sif -p "$long" -o stopped.tsv.gz >out 2>err &
  local pid=$! turn
  for ((turn = 0; turn < 100; turn++)); do
    compgen -G 'stopped.tsv.gz.tmp-*' >/dev/null && break
    sleep 0.05
  done
  check 'a temporary name while it runs' test "$turn" -lt 100 -a ! -e stopped.tsv.gz
  kill -TERM "$pid"
  wait "$pid"
  check 'interrupted: exit code' same $? 4
  check 'interrupted: status' same "$(gzip -dc stopped.tsv.gz | grep -cx '# status: incomplete: interrupted')" 1
  check 'interrupted: a word on stderr' grep -q 'warning: interrupted after' err
  check 'interrupted: the name alone' same "$(files stopped)" 1
  exits 4 'a memory bound' typed-match k20.sif -p "$long" --memory 64K --limit 1000 -o bound.tsv
  check 'a memory bound: rows are written as they come' same "$(rows bound.tsv | wc -l)" 1000
  exits 3 'no room for the output' typed-match k20.sif -p "$long" -o /dev/full
  check 'no room for the output: found out early' grep -q 'could not be written' err
  mkdir -p folder
  for command in filter typed-match; do
    refuses 3 'folder: ' $command ring.sif -p "$v" -o folder
    printf 'kept\n' >kept.tsv
    refuses 3 'nowhere.txt' $command ring.sif -p nowhere.txt -o kept.tsv
    refuses 3 'nowhere.txt' $command ring.sif -p nowhere.txt -o new.tsv
    check "$command: an error leaves what was there, and nothing else" same "$(cat kept.tsv) $(files kept) $(files new)" 'kept 1 0'
    exits 0 "$command replaces" $command ring.sif -p "$v" -o kept.tsv
    check "$command replaces: whole" test "$(grep -c kept kept.tsv) $(files kept)" = '0 1'
  done
  printf 'kept\n' >kept.tsv
  refuses 2 'falls into parts' typed-match ring.sif -p '(a:C), (b:G)' --inexact -o kept.tsv
  refuses 2 'falls into parts' typed-match ring.sif -p '(a:C), (b:G)' --inexact -o new.tsv
  check 'an error after the output was opened' same "$(cat kept.tsv) $(files kept) $(files new)" 'kept 1 0'
}

match_json() {
  exits 0 'typed-match --json' typed-match ring.sif -p triangle.txt --json -o rows.json
  exits 0 'typed-match --json --embeddings' typed-match net.blanks --format sif --directed --nodes ends.tsv --relations ways.tsv \
    -p '(x:both)-[s]->(y)' --json --embeddings -o more.json
  exits 0 'typed-match --count --json' typed-match ring.sif -p triangle.txt --json --count -o count.json
  if ! command -v python3 >/dev/null; then
    skip 'JSON of typed matches is not parsed: no python3'
    return
  fi
  checks=$((checks + 1))
  python3 - <<'PY' >err 2>&1 || fail 'typed-match --json' "$(cat err)"
import json
head, *rows, end = [json.loads(line) for line in open("rows.json")]
assert head["command"] == "typed-match" and head["mode"] == "exact" and head["semantics"] == "subgraphs"
assert head["graph"]["format"] == "hetionet" and (head["graph"]["vertices"], head["graph"]["edges"]) == (10, 15)
assert head["pattern"]["path"] == "triangle.txt" and "text" not in head["pattern"]
assert head["pattern"]["names"] == ["c", "g", "h"] and head["automorphisms"] == "2"
table = [line.rstrip("\n").split("\t") for line in open("text.tsv") if line[0].isdigit()]
assert [[str(row["match"])] + row["vertices"] for row in rows] == table, rows
assert end["status"] == "complete" and end["matches"] == "5" and end["rows"] == 5
head, *rows, end = [json.loads(line) for line in open("more.json")]
assert head["semantics"] == "embeddings" and head["graph"]["directed"] is True
assert head["graph"]["nodes"]["path"] == "ends.tsv" and head["graph"]["relations"]["path"] == "ways.tsv"
assert head["pattern"]["text"] == "(x:both)-[s]->(y)"
assert sorted(row["vertices"] for row in rows) == [["b", "c"]], rows
count = [json.loads(line) for line in open("count.json")]
assert count == [{"type": "count", "count": "5", "semantics": "subgraphs", "automorphisms": "2", "mode": "exact",
                  "status": "complete"}], count
PY
}

typed_formats
plain_formats
plain_annotations
typed_patterns
typed_bad_patterns
filter_results
filtered_anywhere
match_examples
match_inexact_symmetric
match_long_counts
match_search
match_inexact
match_verified
match_limits
match_outputs
match_json

finish
