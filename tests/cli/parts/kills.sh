# A run that is killed at random points and goes on gives the file of one that was not killed; other inputs and
# options are refused, by name; a full disk while the state is saved costs the checkpoint, not the run.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 1500 --exponent -1 --edges 12000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
options=(-k 5 -t 2)
kills=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { n = int(8 * scale); print n < 3 ? 3 : n }')

# survives NAME FILE COMMAND...: the command, whose whole result is in FILE, is killed at random points of its time,
# and goes on.
survives() {
  local name=$1 whole=$2 begin span after rc killed=0
  shift 2
  begin=$(date +%s%N)
  "$motifsieve" "$@" -o "$whole"
  span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds of a whole run
  for ((i = 0; i < kills * 4 && killed < kills; i++)); do
    after=$(awk -v span="$span" -v i="$RANDOM" 'BEGIN { printf "%.3f", (5 + i % 1000 / 1000 * span) / 1000 }')
    # without --preserve-status, a run that ends just when it is to be killed has the exit code 124
    timeout --foreground --preserve-status -s KILL "$after" "$motifsieve" "$@" -o out.tsv --checkpoint ck \
      --checkpoint-seconds 0.01 --resume -q 2>err
    rc=$?
    if [ $rc -eq 137 ]; then
      killed=$((killed + 1))
      continue
    fi
    check "$name: run $i after kills ends (exit code $rc)" test $rc -eq 0
    check "$name: run $i after kills: the same bytes" cmp out.tsv "$whole"
    check "$name: run $i after kills: the checkpoint is gone" test ! -e ck
  done
  check "$name: runs were killed" test "$killed" -gt 0
  exits 0 "$name: the last one ends" "$@" -o out.tsv --checkpoint ck --resume -q
  check "$name: the last one: the same bytes" cmp out.tsv "$whole"
  rm -f ./*.tmp-*
}
survives census whole.tsv census kg.tsv -c kc.tsv "${options[@]}"
survives count whole.json match kg.tsv house --count --json --screen never -t 2
survives motif whole.txt list kg.tsv -c kc.tsv -m 'c0:2,c1:2,c2,*' --count --exact -t 2

# a stop saves the state, too
"$motifsieve" census kg.tsv -c kc.tsv "${options[@]}" -o out.tsv --checkpoint ck --timeout 0.2 -q
if [ -e ck ]; then
  exits 0 'goes on after a time limit' census kg.tsv -c kc.tsv "${options[@]}" -o out.tsv --checkpoint ck --resume -v
  check 'after a time limit: the same bytes' cmp out.tsv whole.tsv
  check 'after a time limit: it says what the checkpoint had' grep -q 'units, of which a checkpoint had' err
fi

# refusals
timeout -s KILL 60 "$motifsieve" census kg.tsv -c kc.tsv "${options[@]}" -o out.tsv --checkpoint ck --timeout 0.05 -q
if [ -e ck ]; then
  cp ck kept
  sed 's/c1$/c2/' kc.tsv >other.tsv
  head -n 5000 kg.tsv >less.tsv
  resume=(--checkpoint ck --resume -o out.tsv)
  refuses 3 "another run: 'checksum of the colours' is" census kg.tsv -c other.tsv "${options[@]}" "${resume[@]}"
  refuses 3 "another run: 'checksum of the graph' is" census less.tsv -c kc.tsv "${options[@]}" "${resume[@]}"
  refuses 3 "another run: 'k' is 5 in the checkpoint, and 4" census kg.tsv -c kc.tsv -k 4 "${resume[@]}"
  refuses 3 "another run: 'part' is all in the checkpoint, and 1 of 2" census kg.tsv -c kc.tsv "${options[@]}" \
    "${resume[@]}" --part 1/2
  refuses 2 'there is a file of this name; go on' census kg.tsv -c kc.tsv "${options[@]}" --checkpoint ck
  check 'refusals leave the checkpoint' cmp ck kept
  sed 's/version of motifsieve\t0/version of motifsieve\t9/' kept >ck
  refuses 3 'the checkpoint is damaged' census kg.tsv -c kc.tsv "${options[@]}" "${resume[@]}"
  rm ck
fi

# the same of a count
"$motifsieve" match kg.tsv wheel:6 --count -t 2 -o out.txt --checkpoint ck --timeout 0.1 -q
if [ -e ck ]; then
  refuses 3 'another run: .*checksum of the pattern' match kg.tsv clique:7 --count -o out.txt --checkpoint ck --resume
  refuses 3 "another run: 'induced' is no" match kg.tsv wheel:6 --induced --count -o out.txt --checkpoint ck --resume
  refuses 3 "another run: 'command' is count of a pattern" census kg.tsv -c kc.tsv --checkpoint ck --resume
  rm ck
fi

# no room for the checkpoint: a limit of the size of files stands for a full disk
(
  ulimit -f 1
  exec timeout 60 "$motifsieve" census kg.tsv -c kc.tsv "${options[@]}" --checkpoint ck --checkpoint-seconds 0.01 2>err
) | cat >full.tsv
check 'a full disk: the run goes on' cmp full.tsv whole.tsv
check 'a full disk: it says so, once' test "$(grep -c 'warning: the state of the run could not be saved: .*; the run goes on' err)" -eq 1
check 'a full disk: nothing is left' test ! -e ck
