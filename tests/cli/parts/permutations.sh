# census --permutations --part and merge: the file of the undivided run for each null, several numbers of parts, forms and
# orders; with checkpoints that survive kills and stops; what is refused, and each damaged bit.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

"$motifsieve" gen power-law -n 200 --exponent -1 --edges 700 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
# a rare colour, with motifs that have no set and are expected
awk -F '\t' '{ print $1 "\t" ($1 % 28 == 5 ? "rare" : $2) }' kc.tsv >x && mv x kc.tsv
awk -F '\t' '{ print $0 "\t" ($1 % 3) }' kc.tsv >strata.tsv
permuted=(census kg.tsv -c kc.tsv -k 3)

hidden=kg.tsv # the inputs are not needed
while read -r options; do
  merges_to_whole '1 3 8' "${permuted[@]}" $options
done <<'END'
--permutations 20
--permutations 20 --null degree --json --min-count 9
--permutations 7 --null edges --top 5
--permutations 5 --null rewire --sort z --top 9
--permutations 21 --significance --sort q --json -s 5
--permutations 9 --significance --primary-color --sort p --min-count 4
--permutations 1 --null edges --json
--permutations 6 --significance --min-expected 0.1
--permutations 6 --significance --min-expected 0.1 --sort z --json
END
check 'some motif has no set' grep -Eq '^[^#].*	3	0	' <("$motifsieve" "${permuted[@]}" --significance --min-expected 0.1)
merges_to_whole 2 census kg.tsv -c strata.tsv -k 3 --permutations 10 --strata 3

# the schema; what a part says of itself; what is refused
for part in 1 2; do "$motifsieve" "${permuted[@]}" --permutations 9 --part $part/2 -o p$part.tsv; done
"$motifsieve" "${permuted[@]}" --permutations 9 --part 2/2 --json -o j2.json
check 'a part says how many permutations it has' grep -qx '# permutations: 4 of 9' p1.tsv
follows_schema j2.json
refuses 2 'p1.tsv: is a part of permutations, which has sums in place of statistics; merge the parts' verify p1.tsv kg.tsv -c kc.tsv
refuses 3 'p1.tsv: is a part of a run, which has only a share of the numbers; merge the parts' report p1.tsv -o p.html
refuses 2 'a census with significance cannot be divided into parts' "${permuted[@]}" --significance --part 1/2
refuses 2 -- '--part and --max-t do not go together' "${permuted[@]}" --permutations 5 --max-t --part 1/2
refuses 3 'part 2 of 2 is missing' merge p1.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
"$motifsieve" "${permuted[@]}" --permutations 9 -s 3 --part 2/2 -o other.tsv
refuses 3 "other.tsv: is a part of another run than p1.tsv: 'permutation_seed' is 1 in the first file, and 3" merge p1.tsv other.tsv
"$motifsieve" "${permuted[@]}" --permutations 9 --null degree --part 2/2 -o other.tsv
refuses 3 "other.tsv: is a part of another run than p1.tsv: 'null' is labels" merge p1.tsv other.tsv
"$motifsieve" "${permuted[@]}" --part 2/2 -o other.tsv
refuses 3 'other.tsv: is a part of another run than p1.tsv' merge p1.tsv other.tsv
sed 's/^# permutations: 5/# permutations: 4/' p2.tsv >x
mend x
refuses 3 'x: refused: it has 4 permutations' merge p1.tsv x
sed -E '/^c/s/[0-9]+$/99/' p2.tsv >x
mend x
refuses 3 'x:[0-9]+: refused: the sums of permutations are wrong' merge p1.tsv x
sed -E '/^c/s/[0-9]+$/x/' p2.tsv >x
mend x
refuses 3 'refused: .*perm_le must be a whole number' merge p1.tsv x
wrong_bits p2.tsv 30 merge p1.tsv WRONG -o m.tsv

# checkpoints
while read -r options; do
  survives "$(kills 4 2)" 0.005 "${permuted[@]}" -t 2 $options
  ends_as_whole "${permuted[@]}" -t 2 $options
done <<'END'
--permutations 3000
--permutations 40 --null edges
--permutations 1000 --max-t
--permutations 4000 --part 2/3
END

stops_with_state 0.3 "${permuted[@]}" --permutations 1000000 -o out.tsv
cp ck kept
resume=(--checkpoint ck --resume -o out.tsv --timeout 20)
refuses 3 "another run: 'seed' is 1 in the checkpoint, and 2" "${permuted[@]}" --permutations 1000000 -s 2 "${resume[@]}"
refuses 3 "another run: 'null' is labels in the checkpoint, and degree" "${permuted[@]}" --permutations 1000000 --null degree "${resume[@]}"
refuses 3 "another run: 'permutations' is 1000000 in the checkpoint, and 9" "${permuted[@]}" --permutations 9 "${resume[@]}"
refuses 3 "another run: 'command' is permutations of a census in the checkpoint, and census" "${permuted[@]}" "${resume[@]}"
refuses 3 "another run: 'checksum of --strata' is not given in the checkpoint, and [0-9a-f]* in this run" \
  census kg.tsv -c strata.tsv -k 3 --permutations 1000000 --strata 3 -q "${resume[@]}"
check 'refusals leave the checkpoint' cmp ck kept
late='a checkpoint had' call_late "${permuted[@]}" --permutations 1000000 --checkpoint ck --resume -o out.tsv --timeout 0.2 -v
check 'it says what the checkpoint had' grep -Eq 'a checkpoint had [1-9][0-9]* permutations' err
wrong_bits kept 30 "${permuted[@]}" --permutations 1000000 -q --resume -o x.tsv --timeout 20 --checkpoint WRONG
