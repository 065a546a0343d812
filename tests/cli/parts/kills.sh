# A run that is killed at random points and goes on gives the file of one that was not killed; other inputs and
# options are refused, by name; a full disk while the state is saved costs the checkpoint, not the run.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 1500 --exponent -1 --edges 12000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
options=(-k 5 -t 2)
kills=$(kills 8 3)
survives "$kills" 0.01 census kg.tsv -c kc.tsv "${options[@]}"
ends_as_whole census kg.tsv -c kc.tsv "${options[@]}"
for query in 'census kg.tsv -c kc.tsv -k 3 --significance' 'list kg.tsv -c kc.tsv -m c0:2,c1,c2,* --participation'; do
  # shellcheck disable=SC2086
  out=other whole=whole.other survives "$(kills 3 2)" 0.01 $query -t 2
  # shellcheck disable=SC2086
  out=other whole=whole.other ends_as_whole $query -t 2
done
for query in 'match kg.tsv house --json --screen never' 'list kg.tsv -c kc.tsv -m c0:2,c1:2,c2,* --exact'; do
  # shellcheck disable=SC2086
  out=count whole=whole.count survives "$kills" 0.01 $query --count -t 2
  # shellcheck disable=SC2086
  out=count whole=whole.count ends_as_whole $query --count -t 2
done

# a stop saves the state, too
stops_with_state 0.1 census kg.tsv -c kc.tsv "${options[@]}" -o out.tsv
cp ck kept
exits 0 'goes on after a time limit' census kg.tsv -c kc.tsv "${options[@]}" -o out.tsv --checkpoint ck --resume -v
check 'after a time limit: the same bytes' cmp out.tsv whole.tsv
check 'after a time limit: it says what the checkpoint had' grep -q 'units, of which a checkpoint had [1-9]' err

# refusals
cp kept ck
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

# the same of a count
stops_with_state 0.1 match kg.tsv wheel:6 --count -t 2 -o out.txt
refuses 3 'another run: .*checksum of the pattern' match kg.tsv clique:7 --count -o out.txt --checkpoint ck --resume
refuses 3 "another run: 'induced' is no" match kg.tsv wheel:6 --induced --count -o out.txt --checkpoint ck --resume
refuses 3 "another run: 'command' is count of a pattern" census kg.tsv -c kc.tsv --checkpoint ck --resume
rm ck

# no room for the checkpoint: a limit of the size of files stands for a full disk
(
  ulimit -f 1
  exec timeout 60 "$motifsieve" census kg.tsv -c kc.tsv "${options[@]}" --checkpoint ck --checkpoint-seconds 0.01 2>err
) | cat >full.tsv
check 'a full disk: the run goes on' cmp full.tsv whole.tsv
check 'a full disk: it says so, once' test "$(grep -c 'warning: the state of the run could not be saved: .*; the run goes on' err)" -eq 1
check 'a full disk: nothing is left' test ! -e ck
