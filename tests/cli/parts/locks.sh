# Files beside a checkpoint that somebody else changes, has, or has put there.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen er -n 20000 --degree 12 --seed 3 -o lock.tsv -q
for k in path:3 "path:3 --binary"; do
  # shellcheck disable=SC2086
  "$motifsieve" match lock.tsv $k -t 1 -q -o "whole-${k#path:3}"
done
rows() { grep -v '^#' "$1" | cksum; }
saves=(match lock.tsv path:3 -t 1 --checkpoint state --checkpoint-seconds 0.05 --resume)

# two runs of one job, the second a moment after the first: it is refused, or goes on once the first has ended; none is wrong
refused=0
for delay in 0 0.02 0.05 0.1 0.15 0.2 0.3 0.4 0.6 0.8; do
  rm -f a.tsv b.tsv
  "$motifsieve" "${saves[@]}" -q -o a.tsv 2>a.err &
  pid=$!
  sleep "$delay"
  "$motifsieve" "${saves[@]}" -q -o b.tsv 2>err
  b=$?
  wait "$pid"
  a=$?
  check "after $delay s: one of them ends" test $((a * b)) -eq 0
  for name in a b; do
    [ ! -e $name.tsv ] || check "after $delay s: $name has all rows" same "$(rows $name.tsv)" "$(rows whole-)"
  done
  [ $b -eq 0 ] || {
    refused=$((refused + 1))
    check "after $delay s: who has it" grep -Eq "state: another run saves its state here \(process [0-9]+ on .*, since 20.* UTC\); wait" err
  }
  check "after $delay s: nothing is left" same "$(compgen -G 'state*')" ''
done
check "the second was refused at least once ($refused)" test $refused -gt 0

# two runs with one output: whole, and one of the two
"$motifsieve" match lock.tsv path:3 -t 1 -q -o both.tsv &
pid=$!
"$motifsieve" match lock.tsv path:3 -t 1 -q -o both.tsv
wait "$pid"
check 'two runs with one output: all rows' same "$(rows both.tsv)" "$(rows whole-)"

# bytes of the rows that change while the run goes on, at the beginning, in the middle and at the end of what is there: the
# result is right, or there is none
changed=0
for try in 1 2 3 4 5 6 7 8 9; do
  rm -f a.tsv
  printf 'old\n' >a.tsv
  "$motifsieve" "${saves[@]}" -q -o a.tsv 2>err &
  pid=$!
  size=0
  while kill -0 "$pid" 2>/dev/null && [ "$size" -lt 3000000 ]; do size=$(stat -c %s state.rows 2>/dev/null || echo 0); done
  case $((try % 3)) in 0) at=8 ;; 1) at=$((size / 2)) ;; *) at=$((size - 5)) ;; esac
  if [ "$size" -gt 100 ] && [ -e state.rows ]; then
    printf '\377\377\377\377' | dd of=state.rows bs=1 seek="$at" conv=notrunc status=none
    changed=$((changed + 1))
  fi
  wait "$pid"
  rc=$?
  if [ $rc -eq 0 ]; then
    check "change $try: all rows" same "$(rows a.tsv)" "$(rows whole-)"
  else
    check "change $try: exit 3 (got $rc)" test $rc -eq 3
    check "change $try: the message" grep -q 'state.rows: the rows of the checkpoint are damaged: they are not those' err
    check "change $try: the old result stays" same "$(cat a.tsv)" old
  fi
  rm -f state state.*
done
check "rows were changed ($changed)" test $changed -gt 0

# a run that saves no state leaves no rows
(
  trap '' XFSZ
  ulimit -f 40
  exits 4 'no room for rows' "${saves[@]}" -q -o a.tsv
)
check 'rows without a state' same "$(compgen -G 'state*')" ''
rm -f a.tsv*

# a checkpoint that a link leads to: its files are beside its target, so that its lock holds under both names
delay=0.2
for ((try = 0; try < 25; try++)); do
  rm -f a.tsv
  timeout -s INT $delay "$motifsieve" "${saves[@]}" -q -o a.tsv 2>err
  factor=$([ $? -eq 0 ] && echo 0.6 || echo 1.7) # it had done all, or nothing
  [ ! -e state ] || break
  delay=$(awk -v d=$delay -v f="$factor" 'BEGIN { d *= f; print (d > 20 ? 20 : d) }')
done
check 'a stopped run has left its state' test -e state.rows
ln -s state link
printf 'motifsieve runs here: process 1 on tests, since today\n' >state.lock
(
  flock -n 9
  exits 2 'the lock under another name' match lock.tsv path:3 -t 1 --checkpoint link --resume -o a.tsv
  check 'the lock: who has it' grep -q 'another run saves its state here' err
) 9>>state.lock
rm state.lock
exits 0 'a run goes on under another name' match lock.tsv path:3 -t 1 --checkpoint link --resume -q -o a.tsv
check 'under another name: all rows' same "$(rows a.tsv)" "$(rows whole-)"
check 'under another name: nothing is left' same "$(compgen -G 'state*'; ls -A | grep -x link)" ''

# files of others
for kind in rows lock; do
  printf 'precious\n' >mine
  ln -s mine state.$kind
  exits 2 "a link in place of .$kind" "${saves[@]}" -o a.tsv
  check "a link in place of .$kind: its file" same "$(cat mine)" precious
  rm state.$kind
  : >state.$kind
  exits 2 "an empty file in place of .$kind" "${saves[@]}" -o a.tsv
  check "an empty .$kind stays" test -f state.$kind
  check "an empty .$kind: what to do" grep -q "there is another file; choose another --checkpoint, or remove the file" err
  rm state.$kind
done
