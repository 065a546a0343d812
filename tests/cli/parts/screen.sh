# A sieve that is killed at random points and goes on gives the file of one that was not killed; other inputs and options
# are refused, by name.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 600 --exponent -1 --edges 2400 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
# an edge that is in no match, without which all vertices would soon be flagged
printf 'x\ty\n' >>kg.tsv
printf 'x\tc0\ny\tc1\n' >>kc.tsv
sieve=(screen kg.tsv -c kc.tsv --screen always --backend cpu -t 2 --no-prune)
options=(-m c0:4,c1:4,c2:3,c3:3 --repetitions 5)
begin=$(date +%s%N)
"$motifsieve" "${sieve[@]}" "${options[@]}" -q -o whole.tsv
span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds of a whole run
kills=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { n = int(8 * scale); print n < 3 ? 3 : n }')
killed=0
for ((i = 0; i < kills * 4 && killed < kills; i++)); do
  after=$(awk -v span="$span" -v i="$RANDOM" 'BEGIN { printf "%.3f", (5 + i % 1000 / 1000 * span) / 1000 }')
  timeout --foreground --preserve-status -s KILL "$after" "$motifsieve" "${sieve[@]}" "${options[@]}" -o out.tsv --checkpoint ck \
    --checkpoint-seconds 0.01 --resume -q 2>err
  rc=$?
  if [ $rc -eq 137 ]; then
    killed=$((killed + 1))
    continue
  fi
  check "run $i after kills ends" test $rc -eq 0
  check "run $i after kills: the same bytes" cmp out.tsv whole.tsv
  check "run $i after kills: the checkpoint is gone" test ! -e ck
done
check 'runs were killed' test "$killed" -gt 0
exits 0 'the last one ends' "${sieve[@]}" "${options[@]}" -o out.tsv --checkpoint ck --resume -q
check 'the last one: the same bytes' cmp out.tsv whole.tsv
rm -f ./*.tmp-*

# a stop saves the state, too
"$motifsieve" "${sieve[@]}" "${options[@]}" -o out.tsv --checkpoint ck --checkpoint-seconds 0.1 --timeout 0.1 -q
if [ -e ck ]; then
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
fi
refuses 2 'only the sieve is divided into units' screen kg.tsv -c kc.tsv -m c0,c1 --checkpoint ck
refuses 2 'only the sieve is divided into units' screen kg.tsv -c kc.tsv -m c0,c1 --exact --checkpoint ck
