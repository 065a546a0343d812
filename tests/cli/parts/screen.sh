# A sieve that is killed at random points and goes on gives the file of one that was not killed; other inputs and options
# are refused, by name.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 600 --exponent -1 --edges 2400 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
# an edge that is in no match, without which all vertices would soon be flagged
printf 'x\ty\n' >>kg.tsv
printf 'x\tc0\ny\tc1\n' >>kc.tsv
sieve=(screen kg.tsv -c kc.tsv --screen always --backend cpu -t 2 --no-prune)
options=(-m c0:4,c1:4,c2:3,c3:3 --repetitions 5)
survives "$(kills 8 3)" 0.01 "${sieve[@]}" "${options[@]}"
ends_as_whole "${sieve[@]}" "${options[@]}"

# a stop saves the state, too
stops_with_state 0.1 "${sieve[@]}" "${options[@]}" -o out.tsv --checkpoint-seconds 0.1
cp ck kept
exits 0 'goes on after a time limit' "${sieve[@]}" "${options[@]}" -o out.tsv --checkpoint ck --resume -v
check 'after a time limit: the same bytes' cmp out.tsv whole.tsv
cp kept ck
resume=(--checkpoint ck --resume -o out.tsv)
sed 's/c1$/c2/; 3s/c2/c1/' kc.tsv >other.tsv
printf 'y\tz\n' | cat kg.tsv - >more.tsv
refuses 3 "another run: 'checksum of the colours' is" screen kg.tsv -c other.tsv --screen always --no-prune "${options[@]}" "${resume[@]}"
refuses 3 "another run: 'checksum of the graph' is" screen more.tsv -c kc.tsv --screen always --no-prune "${options[@]}" "${resume[@]}"
refuses 3 "another run: 'seed' is 1 in the checkpoint, and 2" "${sieve[@]}" "${options[@]}" -s 2 "${resume[@]}"
refuses 3 "another run: 'recurrence' is sibling in the checkpoint, and classic" "${sieve[@]}" "${options[@]}" \
  --recurrence classic "${resume[@]}"
refuses 3 "another run: 'motif' is" "${sieve[@]}" -m c0:4,c1:4,c2:3,c3:2,* --repetitions 5 "${resume[@]}"
check 'refusals leave the checkpoint' cmp ck kept
rm ck
refuses 2 'only the sieve is divided into units' screen kg.tsv -c kc.tsv -m c0,c1 --checkpoint ck
refuses 2 'only the sieve is divided into units' screen kg.tsv -c kc.tsv -m c0,c1 --exact --checkpoint ck

# a sieve that ended early, and whose file could not be written, goes on from its last state
early=(screen g.tsv -c c.tsv -m "$(awk -F '\t' 'NR == 1 { print $2 }' c.tsv)" --screen always --repetitions 200 -q)
"$motifsieve" "${early[@]}" -o whole.early
if [ -w /dev/full ]; then
  call "${early[@]}" -o /dev/full --checkpoint ck
  check 'a full disk leaves the state' test $rc -eq 3 -a -e ck
  exits 0 'a sieve that ended early goes on' "${early[@]}" -o out.early --checkpoint ck --resume
  check 'a sieve that ended early: the same bytes' cmp out.early whole.early
else
  skip 'there is no /dev/full'
fi
