# The examples of docs/TYPED.md, an inexact search with symmetries and a count of 78 bits give the
# expected results.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# hits [FILE]: rows of typed-match without their numbers, "a,b c,d"
hits() { rows "${1:-out}" | cut -f 2- | tr '\t' ',' | paste -s -d ' '; }
exits 0 'the example' typed-match "$here/../examples/drugs/drugs.sif" -p "$here/../examples/drugs/ring.pattern"
check 'the example' same "$(hits)" \
  'Compound::imatinib,Gene::ABL1,Disease::CML Compound::imatinib,Gene::KIT,Disease::GIST'
exits 0 'the example, inexact' typed-match "$here/../examples/drugs/drugs.sif" -p "$here/../examples/drugs/ring.pattern" --inexact
check 'the example, inexact' same "$(rows | sed -n 3p)" $'3\t7\tCompound::dasatinib\tGene::ABL1\tDisease::CML'
exits 0 'a path of the example' path "$here/../examples/drugs/drugs.sif" Compound::dasatinib Disease::GIST
check 'a path of the example' same "$(rows | cut -f 7 | paste -s -d ' ')" \
  'Compound::dasatinib Gene::ABL1 Compound::imatinib Disease::GIST'
printf 'C\tX\nX\tU\nX\tV\n' >branch.tsv
exits 0 'inexact, symmetric' typed-match branch.tsv -p '(c)--(x)--(u), (c)--(y)--(v)' --inexact --best 40 -q
rows | cut -f 3- | awk -F '\t' '{ a = $2 " " $3; b = $4 " " $5; print $1, (a < b) ? a " " b : b " " a }' | sort >maps
check 'inexact, symmetric: some' test "$(wc -l <maps)" -ge 10
check 'inexact, symmetric: each once' same "$(uniq -d maps)" ''
awk 'BEGIN { print "source\ttype\ttarget"; for (i = 0; i < 1000; i++) print "hub\tr\tleaf" i }' >star.tsv
exits 0 'a count of 78 bits' typed-match star.tsv --count -v \
  -p '(h)-[r]-(a),(h)-[r]-(b),(h)-[r]-(c),(h)-[r]-(d),(h)-[r]-(e),(h)-[r]-(f),(h)-[r]-(g),(h)-[r]-(i),(h)-[r]-(j),(h)-[r]-(k)'
check 'a count of 78 bits' same "$(cat out)" 263409560461970212832400
check 'how it was counted' grep -q 'counted as a plain pattern' err
