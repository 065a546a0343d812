# Inexact search finds exact matches first, with falling scores, by any walk and number of
# threads.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# hits [FILE]: rows of typed-match without their numbers, "a,b c,d"
hits() { rows "${1:-out}" | cut -f 2- | tr '\t' ',' | paste -s -d ' '; }
local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' square='(a:C)-[CbG]-(g:G)-[GiG]-(h:G)-[GiG]-(i:G)-[CbG]-(a)'
exits 0 'subgraphs' typed-match ring.sif -p "$v" -o subgraphs.tsv
exits 0 '--embeddings' typed-match ring.sif -p "$v" --embeddings -o embeddings.tsv
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
