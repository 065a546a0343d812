# list and screen --significance and --permutations with --part, and merge: the file of the undivided run for each null and form,
# for matches and vertices; what a part says of itself; with checkpoints that survive kills and stops; what is refused, and
# each damaged bit.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

"$motifsieve" gen power-law -n 200 --exponent -1 --edges 700 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
awk -F '\t' '{ print $0 "\t" ($1 % 3) }' kc.tsv >strata.tsv
hidden=kg.tsv # the inputs are not needed
while read -r command options; do
  merges_to_whole '1 2 3 7' "$command" kg.tsv -c kc.tsv -q $options
done <<'END'
list -m c0:2,c1 --significance --permutations 70
list -m c0:2,c1 --significance --permutations 5 --json
list -m c0,c1,c2 --permutations 20 --null degree --seed 9
list -m c0,c1,c2 --permutations 6 --null edges --json
list -m c0,c1 --permutations 9 --null rewire
list -m c0:2,c1 --significance --statistic vertices --permutations 9
list -m c0,* --significance --permutations 4
screen -m c0:2,c1 --permutations 30
screen -m c0|c3,c1 --permutations 8 --null edges --json
END
merges_to_whole 3 list kg.tsv -c strata.tsv -m c0,c1 --permutations 10 --strata 3 -q
merges_to_whole 2 screen kg.tsv -c strata.tsv -m c0,c1 --permutations 10 --strata 3 --json -q
# without a number, a screen has 1,000 permutations; vertices without a colour do not matter
printf 'x\ty\n' >>kg.tsv
hidden=
merges_to_whole 7 screen kg.tsv -c kc.tsv -m c0,c1 --significance -q
# where all permutations have as many, there is no z
merges_to_whole 2 list kg.tsv -c kc.tsv -m c0 --significance --permutations 3 -q
check 'a number that there is not' grep -qx 'perm_z	NA' merged

motif=(list kg.tsv -c kc.tsv -m c0:2,c1 -q)
for part in 1 2; do "$motifsieve" "${motif[@]}" --significance --permutations 9 --part $part/2 -o p$part.tsv; done
"$motifsieve" "${motif[@]}" --significance --permutations 9 --part 2/2 --json -o j2.json
"$motifsieve" "${motif[@]}" --permutations 9 --null rewire --statistic vertices --part 2/2 --json -o r2.json
check 'a part says how many permutations it has' grep -qx '# permutations: 4 of 9' p1.tsv
follows_schema j2.json
follows_schema r2.json
refuses 2 'p1.tsv: is a part of permutations, which has sums in place of statistics; merge the parts' verify p1.tsv kg.tsv -c kc.tsv
refuses 2 'j2.json: is a part of permutations' verify j2.json kg.tsv -c kc.tsv
refuses 3 'p1.tsv: is a part of a run, which has only a share of the numbers; merge the parts' report p1.tsv -o p.html
refuses 2 'a significance without permutations cannot be divided into parts; leave out --part' "${motif[@]}" --significance --part 1/2
refuses 2 'the state of a significance without permutations cannot be saved; leave out --checkpoint' "${motif[@]}" --significance --checkpoint ck
refuses 2 '--paranoid and --permutations do not go together' "${motif[@]}" --permutations 3 --paranoid
refuses 2 -- '--part and --fail-if-none do not go together' "${motif[@]}" --permutations 3 --fail-if-none --part 1/2

# parts that are missing, there twice, foreign or damaged
refuses 3 'part 2 of 2 is missing' merge p1.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
refuses 3 "j2.json: is a part of another run than p1.tsv: 'form' is TSV in the first file, and JSON in this part" merge p1.tsv j2.json
# differs REGEX OPTION...: the message names what makes part 2 another run's
differs() {
  local regex=$1
  shift
  "$motifsieve" "$@" --part 2/2 -o other.tsv 2>/dev/null
  refuses 3 "other.tsv: is a part of another run than p1.tsv: $regex" merge p1.tsv other.tsv
}
differs "'permutation_seed' is 1 in the first file, and 3 in this part" "${motif[@]}" --significance --permutations 9 -s 3
differs "'permutations_asked' is 9 in the first file, and 8 in this part" "${motif[@]}" --significance --permutations 8
differs "'null' is labels in the first file, and degree in this part" "${motif[@]}" --significance --permutations 9 --null degree
differs "'motif' is c0:2,c1 in the first file, and c0:2,c2 in this part" list kg.tsv -c kc.tsv -m c0:2,c2 --significance --permutations 9
differs "'statistic' is matches in the first file, and vertices in this part" "${motif[@]}" --significance --permutations 9 --statistic vertices
differs "'formula' is exact in the first file, and not given in this part" "${motif[@]}" --permutations 9
printf 'x\tz\n' | cat kg.tsv - >more.tsv
differs "'crc32c of the graph' is" list more.tsv -c kc.tsv -m c0:2,c1 --significance --permutations 9
differs "'command' is list in the first file, and census in this part" census kg.tsv -c kc.tsv -k 3 --permutations 9
differs "'significance of one motif' is yes in the first file, and no in this part" "${motif[@]}"
sed 's/^# permutations: 5/# permutations: 4/' p2.tsv >x
mend x
refuses 3 'x: refused: it has 4 permutations' merge p1.tsv x
sed 's/^# perm_ge: .*/# perm_ge: 99/' p2.tsv >x
mend x
refuses 3 'x:[0-9]+: refused: the sums of permutations are wrong' merge p1.tsv x
sed 's/^# perm_squares: .*/# perm_squares: x/' p2.tsv >x
mend x
refuses 3 'refused: .*the sums of permutations must be whole numbers' merge p1.tsv x
sed 's/^# observed: .*/# observed: 1/' p2.tsv >x
mend x
refuses 3 "'observed' is [0-9]+ in the first file, and 1 in this part" merge p1.tsv x
sed 's/^# end/1	a,b\n&/' p2.tsv >x
mend x
refuses 3 'permutations of one motif have no rows' merge p1.tsv x
sed '/^# part/d; /^# units/d' p2.tsv >x
mend x
refuses 3 'a result of list with a statistic is a part of permutations' merge p1.tsv x
wrong_bits p2.tsv 30 merge p1.tsv WRONG -o m.tsv
wrong_bits j2.json 30 merge WRONG -o m.tsv

# a part that was stopped is refused
"$motifsieve" gen er -n 300 --edges 3000 --uniform-colors 3 --colors-out dc.tsv -o dg.tsv -q
exits_late 4 'a stopped part' list dg.tsv -c dc.tsv -m c0:2,c1:2,c2 --permutations 100000000 --part 1/2 --timeout 1 -t 1 -q -o late.tsv
check 'a stopped part says so' grep -qx '# status: incomplete: time' late.tsv
refuses 3 'part 2 of 2 is missing|is incomplete' merge late.tsv

# checkpoints
while read -r command options; do
  survives "$(kills 4 2)" 0.005 "$command" kg.tsv -c kc.tsv -t 2 $options
  ends_as_whole "$command" kg.tsv -c kc.tsv -t 2 $options
done <<'END'
list -m c0:2,c1 --significance --permutations 3000
list -m c0:2,c1,c2 --permutations 600 --statistic vertices --json
list -m c0,c1 --permutations 60 --null edges
screen -m c0:2,c1 --permutations 900 --null degree --part 2/3
END

saved=(list kg.tsv -c kc.tsv -m c0:2,c1 --permutations 1000000 -o out.tsv)
stops_with_state 0.5 "${saved[@]}"
cp ck kept
resume=(--checkpoint ck --resume --timeout 20)
refuses 2 'ck: there is a file of this name; go on' "${saved[@]}" --checkpoint ck
refuses 3 "another run: 'seed' is 1 in the checkpoint, and 2" "${saved[@]}" "${resume[@]}" -s 2
refuses 3 "another run: 'null' is labels in the checkpoint, and rewire" "${saved[@]}" "${resume[@]}" --null rewire
refuses 3 "another run: 'statistic' is matches in the checkpoint, and vertices" "${saved[@]}" "${resume[@]}" --statistic vertices
refuses 3 "another run: 'part' is all in the checkpoint, and 1 of 2" "${saved[@]}" "${resume[@]}" --part 1/2
saved[5]=c0,c1
refuses 3 "another run: 'motif' is c0:2,c1 in the checkpoint, and c0,c1" "${saved[@]}" "${resume[@]}"
saved[5]=c0:2,c1 saved[7]=9
refuses 3 "another run: 'permutations' is 1000000 in the checkpoint, and 9" "${saved[@]}" "${resume[@]}"
sed 's/c3$/c2/' kc.tsv >other.tsv
saved[7]=1000000 saved[3]=other.tsv
refuses 3 "another run: 'checksum of the colours' is" "${saved[@]}" "${resume[@]}"
saved[3]=kc.tsv saved[1]=more.tsv
refuses 3 "another run: 'checksum of the graph' is" "${saved[@]}" "${resume[@]}"
saved[1]=kg.tsv
refuses 3 "another run: 'command' is permutations of one motif in the checkpoint, and permutations of a census" \
  census kg.tsv -c kc.tsv -k 3 --permutations 9 "${resume[@]}"
check 'refusals leave the checkpoint' cmp ck kept
late='a checkpoint had' call_late "${saved[@]}" --checkpoint ck --resume --timeout 0.3 -v
check 'it says what the checkpoint had' grep -Eq 'a checkpoint had [1-9][0-9]* permutations' err
wrong_bits kept 30 "${saved[@]}" -q --resume --timeout 20 --checkpoint WRONG
