# Rows, embeddings, counts, threads and walks of typed-match agree; wrong options are refused.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# hits [FILE]: rows of typed-match without their numbers, "a,b c,d"
hits() { rows "${1:-out}" | cut -f 2- | tr '\t' ',' | paste -s -d ' '; }
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
