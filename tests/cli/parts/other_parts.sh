# Parts that are of another run, or that are forged although their checksum is right, are refused, and the message
# says what is wrong: what is particular to a kind of parts.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154

law_inputs
sed '1d' net.tsv >less.tsv

# ---- census
first census net.tsv -c col.tsv -k 3
forged p1 '0,/^(c[^\t]*\t3\t)[0-9]+/s//\19999999/' 'sets fit the motif, not 9999999' verify x net.tsv -c col.tsv
forged p1 '0,/^(c[^\t]*\t3\t.*\t)[0-9]+,/s//\14,/' 'color_ids' verify x net.tsv -c col.tsv
mv p2 plain

# ---- permutations of a census
permuted=(census net.tsv -c col.tsv -k 3)
first "${permuted[@]}" --permutations 9
check 'a part says how many permutations it has' grep -qx '# permutations: 4 of 9' p1
refuses 3 'plain: is a part of another run than p1: ' merge p1 plain
differs "'permutation_seed' is 1 in the first file, and 3 in this part" "${permuted[@]}" --permutations 9 -s 3
differs "'null' is labels" "${permuted[@]}" --permutations 9 --null degree
forged p2 's/^# permutations: 5/# permutations: 4/' 'it has 4 permutations' merge p1 x
forged p2 '/^c/s/[0-9]+$/99/' 'the sums of permutations are wrong' merge p1 x
forged p2 '/^c/s/[0-9]+$/x/' 'perm_le must be a whole number' merge p1 x
# numbers that no permutations have: fewer permutations on both sides than there are, squares below those of equal differences, a sum
# and squares that are not both even or odd, fewer sets than none, more squares than the differences allow
wrong_sums() {
  forged p2 "$1"'\t[0-9]+\t[0-9]+$/\t0\t0/' 'the sums of permutations are wrong' merge p1 x
  forged p2 "$1"'\t-?[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+$/\t10\t8\t5\t0/' 'the sums of permutations are wrong' merge p1 x
  forged p2 "$1"'\t-?[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+$/\t5\t6\t5\t0/' 'the sums of permutations are wrong' merge p1 x
  forged p2 "$1"'\t-?[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+$/\t-99999999\t9999999999999999\t0\t5/' 'the sums of permutations are wrong' merge p1 x
  forged p2 "$1"'\t-?[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+$/\t5\t99999\t5\t0/' 'the sums of permutations are wrong' merge p1 x
  forged p2 "$1"'\t-?[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+$/\t0\t2\t5\t5/' 'the sums of permutations are wrong' merge p1 x
}
wrong_sums '/^c/s/'
refuses 2 'p1: is a part of permutations, which has sums in place of statistics; merge the parts of the run, and verify the result' verify p1 net.tsv -c col.tsv
refuses 2 'a census with significance cannot be divided into parts' "${permuted[@]}" --significance --part 1/2 -q
refuses 2 -- '--part and --max-t do not go together' "${permuted[@]}" --permutations 5 --max-t --part 1/2

# ---- permutations of shapes and of patterns
first census net.tsv --shapes -k 3 --permutations 9
wrong_sums '/^\(a/s/'
forged p2 's/^(# swaps_accepted: )[0-9]+ of/\1999999999 of/' 'swaps' merge p1 x
forged p2 '/triangle/d' 'its shapes are not those of p1' merge p1 x
first match net.tsv path:3 --permutations 9
wrong_sums '/^path:3/s/'

# ---- permutations of one motif
motif=(list net.tsv -c one.tsv -m c0:2,c1)
first "${motif[@]}" --significance --permutations 9
check 'a part says how many permutations it has' grep -qx '# permutations: 4 of 9' p1
differs "'permutation_seed' is 1 in the first file, and 3 in this part" "${motif[@]}" --significance --permutations 9 -s 3
differs "'permutations_asked' is 9 in the first file, and 8 in this part" "${motif[@]}" --significance --permutations 8
differs "'null' is labels in the first file, and degree in this part" "${motif[@]}" --significance --permutations 9 --null degree
differs "'motif' is c0:2,c1 in the first file, and c0:2,c2 in this part" list net.tsv -c one.tsv -m c0:2,c2 --significance --permutations 9
differs "'statistic' is matches in the first file, and vertices in this part" "${motif[@]}" --significance --permutations 9 --statistic vertices
differs "'formula' is exact in the first file, and not given in this part" "${motif[@]}" --permutations 9
differs "'crc32c of the graph' is" list less.tsv -c one.tsv -m c0:2,c1 --significance --permutations 9
differs "'command' is list in the first file, and census in this part" "${permuted[@]}" --permutations 9
differs "'significance of one motif' is yes in the first file, and no in this part" "${motif[@]}"
differs "'form' is TSV in the first file, and JSON in this part" "${motif[@]}" --significance --permutations 9 --json
forged p2 's/^# permutations: 5/# permutations: 4/' 'it has 4 permutations' merge p1 x
forged p2 's/^# perm_ge: .*/# perm_ge: 99/' 'the sums of permutations are wrong' merge p1 x
forged p2 's/^# perm_ge: .*/# perm_ge: 0/; s/^# perm_le: .*/# perm_le: 0/' 'the sums of permutations are wrong' merge p1 x
forged p2 's/^# perm_squares: .*/# perm_squares: x/' 'the sums of permutations must be whole numbers' merge p1 x
forged p2 's/^# end/1	a,b\n&/' 'permutations of one motif have no rows' merge p1 x
forged p2 '/^# part/d; /^# units/d' 'a result of list with a statistic is a part of permutations' merge p1 x
sed 's/^# observed: .*/# observed: 1/' p2 >x
mend x
refuses 3 "'observed' is [0-9]+ in the first file, and 1 in this part" merge p1 x
refuses 2 'p1: is a part of permutations, which has sums in place of statistics; merge the parts of the run, and verify the result' verify p1 net.tsv -c one.tsv
refuses 3 'p1: is a part of a run, which has only a share of the numbers; merge the parts' report p1 -o p.html
refuses 2 'a significance without permutations cannot be divided into parts; leave out --part' "${motif[@]}" --significance --part 1/2 -q
refuses 2 'the state of a significance without permutations cannot be saved; leave out --checkpoint' "${motif[@]}" --significance --checkpoint ck -q
refuses 2 '--paranoid and --permutations do not go together' "${motif[@]}" --permutations 3 --paranoid
refuses 2 -- '--part and --fail-if-none do not go together' "${motif[@]}" --permutations 3 --fail-if-none --part 1/2

# ---- sieves
sieve=(screen net.tsv -c col.tsv --screen always --backend cpu)
first "${sieve[@]}" -m c0:2,c1
refuses 2 'p1: is a part of a sieve, which flags no vertex yet; merge the parts of the run, and verify the result' verify p1 net.tsv -c col.tsv
differs "'form' is TSV" "${sieve[@]}" -m c0:2,c1 --json
differs "'seed' is 1 in the first file, and 2" "${sieve[@]}" -m c0:2,c1 -s 2
"$motifsieve" "${sieve[@]}" -m c0:2,c1 --no-prune --part 2/2 -q -o other
refuses 3 'other: refused: its rows are not those of p1' merge p1 other
forged p2 '0,/\t[0-9a-f]{6,}$/s//\t00/' 'line [0-9]+: values must be two hexadecimal digits for each' merge p1 x
refuses 2 'only the sieve is divided into units, and enumeration is not; choose --screen always' screen net.tsv -c col.tsv -m c0,c1 --part 1/2 -q
refuses 2 'a sieve without|scores of vertices cannot be divided' "${sieve[@]}" -m c0,c1 --part 1/2 --vertex-scores values.tsv -q
refuses 2 'a part of a screen cannot be written in this form' "${sieve[@]}" -m c0,c1 --part 1/2 --dot -q

# ---- vertices
first census net.tsv -c col.tsv --per-vertex -k 3
refuses 2 'p1: is a part of a census of each vertex' verify p1 net.tsv -c col.tsv
differs "'k' is 3 in the first file, and 4 in this part" census net.tsv -c col.tsv --per-vertex -k 4
refuses 3 'plain: is a part of another run than p1' merge p1 plain
forged p2 's/^([^#v].*	)1	([0-9,]*)$/\12	\2/' 'the unit of the row is wrong' merge p1 x
forged p2 's/^([^#v].*	)[0-9]+	([0-9,]*)$/\1y	\2/' 'unit must be a whole number' merge p1 x
first list net.tsv -c col.tsv -m c0,c1,c2 --participation
forged p2 '0,/^([^#v].*\t)[1-9][0-9]*$/s//\19999999/' 'is in [0-9]* matches, and not in 9999999 as the file says' verify x net.tsv -c col.tsv
forged p2 '/^hub\t/d' '' merge p1 x

# ---- rows
first list net.tsv -c col.tsv -m c0,c1
forged p1 's/^(# unit_rows: [0-9]+:)[0-9]+/\19/' 'the numbers of rows of its units are wrong' merge x p2
mv net.tsv away
sed 1d away >net.tsv
refuses 3 'p1: refused: .*net.tsv is not the graph file that the result was made from' merge p1 p2
mv away net.tsv
sed 's/# part: 2 of 2/# part: 1 of 2/' p2 |
  awk '/^# unit_rows/ { for (i = 3; i <= NF; i++) { split($i, e, ":"); $i = e[1] - 1 ":" e[2] } } { print }' >x
mend x
refuses 3 'the parts have a match twice' merge x p2
first match net.tsv path:3
forged p1 's/^(# unit_rows: [0-9]+:)[0-9]+/\19/' 'the numbers of rows of its units are wrong' merge x p2
forged p1 's/^1\t[0-9a-z]+/1\thub/' '' verify x net.tsv path:3

# ---- counts read the graph again
first match net.tsv house --count
refuses 2 'p1: is a part of a count, which holds no rows to verify; merge the parts of the run, and verify the result' verify p1 net.tsv house
mv net.tsv away
refuses 3 'net.tsv' merge p1 p2
sed 1d away >net.tsv
refuses 3 'is not the graph file that the result was made from' merge p1 p2
mv away net.tsv

# ---- typed patterns
query='(x)-[:r0]->(y)-[:r1]->(z)'
typed=(match typed.tsv "$query" --nodes nodes.tsv)
first "${typed[@]}"
differs "'form' is TSV" "${typed[@]}" --json
differs "'semantics' is subgraphs in the first file, and embeddings" "${typed[@]}" --embeddings
differs "'count' is no in the first file, and yes" "${typed[@]}" --count
differs "'rows' is not given in the first file, and long in this part" "${typed[@]}" --long
differs "the first file has 'nodes of the graph'" match typed.tsv "$query"
forged p1 's/^(# unit_rows: [0-9]+:)[0-9]+/\19/' 'the numbers of rows of its units are wrong' merge x p2
first "${typed[@]}" --count
differs '' match typed.tsv '(x)-[:r0]->(y)' --count
refuses 2 'p1: is a part of a count, which holds no rows to verify' verify p1 typed.tsv "$query"
refuses 2 'a search for matches with required vertices cannot be divided' "${typed[@]}" --count --part 1/2 --require v3
refuses 2 'a search for a limited number of matches cannot be divided' "${typed[@]}" --count --limit 3 --part 1/2
refuses 2 'a search for a limited number of matches cannot be divided' "${typed[@]}" --limit 3 --part 1/2
refuses 2 'need the engine cpu, which knows the order of rows; leave out --engine' "${typed[@]}" --engine dfs --part 1/2
refuses 2 'a search for matches with required vertices cannot be divided' "${typed[@]}" --part 1/2 --require v3
refuses 2 'a search after the sieve cannot be divided' "${typed[@]}" --part 1/2 --screen always
refuses 2 'an inexact search cannot be divided' "${typed[@]}" --inexact --part 1/2
refuses 2 'a part of a search cannot be written in this form' "${typed[@]}" --part 1/2 --binary -o x.bin
refuses 2 'a part of a search cannot be written in this form' "${typed[@]}" --part 1/2 --dot

# ---- more than 2^20 rows come in the order of the search, and the inputs are not needed
"$motifsieve" gen power-law -n 1500 --exponent -1 --edges 14000 --uniform-colors 4 --colors-out many-c.tsv -o many.tsv -q --seed 3
"$motifsieve" list many.tsv -c many-c.tsv -m c0,c1,c2,c3 --exact -t 2 -o whole -q
check 'in the order of the search' grep -q '^# order: search' whole
first list many.tsv -c many-c.tsv -m c0,c1,c2,c3 -t 2
rm many.tsv
call merge p2 p1 -o merged
check 'many rows: the same' cmp whole merged

# ---- a damaged part that is compressed, and longer than what is read at once
big_graph
"$motifsieve" match big.tsv path:4 --part 1/1 -q -o part.gz
check "the part is long: $(wc -c <part.gz)" test "$(wc -c <part.gz)" -gt 30000
printf x | dd of=part.gz bs=1 seek=20000 conv=notrunc status=none
refuses 3 'part.gz: the gzip data is damaged' merge part.gz -o none.tsv
check 'nothing is written' test ! -e none.tsv
