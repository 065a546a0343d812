# Only the same run goes on from a checkpoint: other inputs and options are refused, and the message names what differs; so are rows
# that are damaged or missing.  Refusals leave the checkpoint as it is.
# shellcheck shell=bash disable=SC2034,SC2154

[ -w /dev/full ] || {
  skip 'there is no /dev/full'
  return
}
law_inputs
sed 's/c1$/c2/; 3s/c2/c1/' col.tsv >other.tsv
sed '1d' net.tsv >less.tsv
sed '$d' typed.tsv >typed_less.tsv

saved census net.tsv -c col.tsv -k 4
another "'checksum of the colours' is" census net.tsv -c other.tsv -k 4
another "'checksum of the graph' is" census less.tsv -c col.tsv -k 4
another "'k' is 4 in the checkpoint, and 3" census net.tsv -c col.tsv -k 3
another "'part' is all in the checkpoint, and 1 of 2" census net.tsv -c col.tsv -k 4 --part 1/2
refuses 2 'ck: there is a file of this name; go on' census net.tsv -c col.tsv -k 4 -q --checkpoint ck
sed 's/version of motifsieve\t0/version of motifsieve\t9/' kept >ck
refuses 3 'the checkpoint is damaged' census net.tsv -c col.tsv -k 4 -q --checkpoint ck --resume

permuted=(census net.tsv -c col.tsv -k 3)
saved "${permuted[@]}" --permutations 20
another "'seed' is 1 in the checkpoint, and 2" "${permuted[@]}" --permutations 20 -s 2
another "'null' is labels in the checkpoint, and degree" "${permuted[@]}" --permutations 20 --null degree
another "'permutations' is 20 in the checkpoint, and 9" "${permuted[@]}" --permutations 9
another "'permutations that --max-t keeps' is 0 in the checkpoint, and 20" "${permuted[@]}" --permutations 20 --max-t
another "'command' is permutations of a census in the checkpoint, and census" "${permuted[@]}"
another "'checksum of --strata' is not given in the checkpoint, and [0-9a-f]* in this run" census net.tsv -c strata.tsv -k 3 --permutations 20 --strata 3

motif=(-m c0:2,c1 --permutations 30)
saved list net.tsv -c col.tsv "${motif[@]}"
another "'seed' is 1 in the checkpoint, and 2" list net.tsv -c col.tsv "${motif[@]}" -s 2
another "'null' is labels in the checkpoint, and rewire" list net.tsv -c col.tsv "${motif[@]}" --null rewire
another "'statistic' is matches in the checkpoint, and vertices" list net.tsv -c col.tsv "${motif[@]}" --statistic vertices
another "'part' is all in the checkpoint, and 1 of 2" list net.tsv -c col.tsv "${motif[@]}" --part 1/2
another "'motif' is c0:2,c1 in the checkpoint, and c0,c1" list net.tsv -c col.tsv -m c0,c1 --permutations 30
another "'permutations' is 30 in the checkpoint, and 9" list net.tsv -c col.tsv -m c0:2,c1 --permutations 9
another "'checksum of the colours' is" list net.tsv -c other.tsv "${motif[@]}"
another "'checksum of the graph' is" list less.tsv -c col.tsv "${motif[@]}"
another "'command' is permutations of one motif in the checkpoint, and permutations of a census" "${permuted[@]}" --permutations 9
refuses 2 'ck: there is a file of this name; go on' list net.tsv -c col.tsv "${motif[@]}" -q --checkpoint ck

sieve=(screen net.tsv -c col.tsv --screen always --no-prune --repetitions 5)
saved "${sieve[@]}" -m c0:2,c1,c2
another "'checksum of the colours' is" screen net.tsv -c other.tsv --screen always --no-prune --repetitions 5 -m c0:2,c1,c2
another "'checksum of the graph' is" screen less.tsv -c col.tsv --screen always --no-prune --repetitions 5 -m c0:2,c1,c2
another "'seed' is 1 in the checkpoint, and 2" "${sieve[@]}" -m c0:2,c1,c2 -s 2
another "'recurrence' is sibling in the checkpoint, and classic" "${sieve[@]}" -m c0:2,c1,c2 --recurrence classic
another "'motif' is" "${sieve[@]}" -m 'c0:2,c1,*'
saved "${sieve[@]}" -m c0:2,c1,c2 --part 2/3
another "'part' is 2 of 3 in the checkpoint, and 1 of 3" "${sieve[@]}" -m c0:2,c1,c2 --part 1/3

saved match net.tsv house --count
another ".*checksum of the pattern" match net.tsv clique:5 --count
another "'induced' is no" match net.tsv house --induced --count
another "'command' is count of a pattern" census net.tsv -c col.tsv

# damaged_rows ARG...: the rows of the checkpoint of this run are changed, and missing
damaged_rows() {
  tr '\0' '\1' <kept.rows >ck.rows
  refuses 3 'ck.rows: the rows of the checkpoint are damaged' "$@" -q -o out.tsv --checkpoint ck --resume
  rm ck.rows
  refuses 3 'ck.rows: the rows of the checkpoint are missing' "$@" -q -o out.tsv --checkpoint ck --resume
  check "the checkpoint stays: $*" cmp ck kept
  echo more | cat kept.rows - >ck.rows
  exits 0 "bytes that follow the rows: $*" "$@" -q -o out.tsv --checkpoint ck --resume
}
list=(list net.tsv -c col.tsv)
saved "${list[@]}" -m c0:2,c1 --min-density 0.7
another "'motif' is .*c1 in the checkpoint, and c0,c1,c2 in this run" "${list[@]}" -m c0,c1,c2
another "'least density' is 0.7 in the checkpoint, and 0.5" "${list[@]}" -m c0:2,c1 --min-density 0.5
another "'part' is all in the checkpoint, and 1 of 2" "${list[@]}" -m c0:2,c1 --min-density 0.7 --part 1/2
another "'command' is list of the matches of a motif in the checkpoint, and list of the matches of a pattern" match net.tsv triangle
another "'command' is list of the matches of a motif in the checkpoint, and count of a motif" "${list[@]}" -m c0,c1 --count
refuses 2 'ck: there is a file of this name; go on' "${list[@]}" -m c0:2,c1 --min-density 0.7 -q --checkpoint ck
damaged_rows "${list[@]}" -m c0:2,c1 --min-density 0.7

vertices=(census net.tsv -c col.tsv --per-vertex)
saved "${vertices[@]}" -k 3
another "'k' is 3 in the checkpoint, and 2 in this run" "${vertices[@]}" -k 2
another "'command' is census of each vertex in the checkpoint, and census in" census net.tsv -c col.tsv -k 3
another "'most motifs of a vertex' is 0 in the checkpoint, and 7" "${vertices[@]}" -k 3 --top 7
another "'least number of sets of a motif' is 0 in the checkpoint, and 5" "${vertices[@]}" -k 3 --min-count 5
another "'part' is all in the checkpoint, and 1 of 2" "${vertices[@]}" -k 3 --part 1/2
damaged_rows "${vertices[@]}" -k 3

query='(x)-[:r0]-(y)-[]-(z)'
saved match typed.tsv "$query" --count
another "'checksum of the edges of the pattern's types' is" match typed_less.tsv "$query" --count
another "'types that the pattern names' is r0.* in the checkpoint, and r1" match typed.tsv "${query/r0/r1}" --count
another "'(checksum of the|vertices of)" match typed.tsv '(x)-[:r0]-(y)-[]-(z)-[]-(x)' --count

query='(x)-[]-(y)-[]-(z)'
saved match typed.tsv "$query"
another "'checksum of the edges of the pattern's types' is" match typed_less.tsv "$query"
another "'types that the pattern names' is not given in the checkpoint, and r0 in this run" match typed.tsv "${query/\[\]/[:r0]}"
another "'checksum of the pattern's edges' is" match typed.tsv '(x)-[]-(y)-[]-(z)-[]-(x)'
another "'induced' is no in the checkpoint, and yes" match typed.tsv "$query" --induced
another "'embeddings' is no in the checkpoint, and yes" match typed.tsv "$query" --embeddings
another "'part' is all in the checkpoint, and 1 of 2" match typed.tsv "$query" --part 1/2
another "'command' is list of the matches of a pattern in the checkpoint, and count of a pattern" match typed.tsv "$query" --count
damaged_rows match typed.tsv "$query"

refuses 2 'only the sieve is divided into units' screen net.tsv -c col.tsv -m c0,c1 --checkpoint ck -q
refuses 2 'only the sieve is divided into units' screen net.tsv -c col.tsv -m c0,c1 --exact --checkpoint ck -q
# a file that is no checkpoint stays, also where there is nothing to search
printf 'data\n' >mine
exits 0 'nothing to search' match net.tsv '(a:none)--(b)' -c col.tsv --ignore-unknown --checkpoint mine -o out -q
check 'a file that is no checkpoint stays' grep -q data mine
exits 0 'nothing can match, and nothing is saved' match typed.tsv "(x)-[:none]->(y)" --ignore-unknown --checkpoint none -o out -q
check 'no checkpoint is left' test ! -e none -a ! -e none.rows
