# Lists that are killed at random points and go on give the file of one that was not killed, in each form; other inputs,
# damage, and files that are no checkpoint are refused; a full disk costs the checkpoint, not the run.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 1500 --exponent -1 --edges 9000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
kills=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { n = int(5 * scale); print n < 2 ? 2 : n }')
list=(list kg.tsv -c kc.tsv -t 2)

# survives OUTPUT COMMAND...: the command, which writes OUTPUT, is killed at random points of its time, and goes on.
survives() {
  local out=$1 begin span after rc killed=0
  shift
  begin=$(date +%s%N)
  "$motifsieve" "$@" -o "whole.$out" -q
  span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds of a whole run
  for ((i = 0; i < kills * 4 && killed < kills; i++)); do
    after=$(awk -v span="$span" -v i="$RANDOM" 'BEGIN { printf "%.3f", (5 + i % 1000 / 1000 * span) / 1000 }')
    # without --preserve-status, a run that ends just when it is to be killed has the exit code 124
    timeout --foreground --preserve-status -s KILL "$after" "$motifsieve" "$@" -o "$out" --checkpoint ck --checkpoint-seconds 0.01 \
      --resume -q 2>err
    rc=$?
    if [ $rc -eq 137 ]; then
      killed=$((killed + 1))
      continue
    fi
    check "$*: run $i after kills ends (exit code $rc)" test $rc -eq 0
    check "$*: run $i after kills: the same bytes" cmp "$out" "whole.$out"
    check "$*: run $i after kills: the checkpoint is gone" test ! -e ck -a ! -e ck.rows
  done
  check "$*: runs were killed" test "$killed" -gt 0
  exits 0 "$*: the last one ends" "$@" -o "$out" --checkpoint ck --resume -q
  check "$*: the last one: the same bytes" cmp "$out" "whole.$out"
  check "$*: the checkpoint is gone" test ! -e ck -a ! -e ck.rows
  rm -f ./*.tmp-*
}
survives rows.tsv "${list[@]}" -m c0,c1,c2,c3 --exact             # sorted
survives rows.json "${list[@]}" -m c0:2,c1,c2 --exact --json   # in the order of the search
survives rows.tsv.gz "${list[@]}" -m c0,c1,c2 --exact --density
survives part.tsv "${list[@]}" -m c0,c1,c2,c3 --part 2/3
survives rows.bin match kg.tsv path:4 --screen never --engine cpu -t 2 --binary
survives rows.json.zst match kg.tsv cycle:4 --screen never --engine cpu -t 2 --json
survives part.json match kg.tsv cycle:4 -t 2 --json --part 1/2

vertices=(census kg.tsv -c kc.tsv -k 3 --per-vertex -t 2)
survives vertices.tsv "${vertices[@]}"
survives vertices.json.gz "${vertices[@]}" --json --min-count 3
survives part.tsv "${vertices[@]}" --top 4 --part 2/3

# a stop saves the state; the run says what it had
long=("${list[@]}" -m 'c0:2,c1,c2,c3' --min-density 0.7)
begin=$(date +%s%N)
"$motifsieve" "${long[@]}" --exact -o whole -q
half=$((($(date +%s%N) - begin) / 2000000))ms
"$motifsieve" "${long[@]}" --json -o out --checkpoint ck --checkpoint-seconds 0.01 --timeout "$half" -q
if [ -e ck ]; then
  cp ck kept
  cp ck.rows kept.rows
  resume=(--checkpoint ck --resume -o out --json -q)
  refuses 3 "another run: 'motif' is .*c3 in the checkpoint, and c0,c1,c2 in this run" "${list[@]}" -m c0,c1,c2 "${resume[@]}"
  refuses 3 "another run: 'least density' is 0.7 in the checkpoint, and 0.5" "${list[@]}" -m c0:2,c1,c2,c3 "${resume[@]}" --min-density 0.5
  refuses 3 "another run: 'part' is all in the checkpoint, and 1 of 2" "${long[@]}" "${resume[@]}" --part 1/2
  refuses 3 "another run: 'command' is list of the matches of a motif in the checkpoint, and list of the matches of a pattern" match kg.tsv triangle "${resume[@]}"
  refuses 3 "another run: 'command' is list of the matches of a motif in the checkpoint, and count of a motif" "${list[@]}" -m c0,c1 --count "${resume[@]}"
  refuses 2 'ck: there is a file of this name; go on' "${long[@]}" --checkpoint ck -q
  tr '\0' '\1' <kept.rows >ck.rows
  refuses 3 'ck.rows: the rows of the checkpoint are damaged' "${long[@]}" "${resume[@]}"
  rm ck.rows
  refuses 3 'ck.rows: the rows of the checkpoint are missing' "${long[@]}" "${resume[@]}"
  check 'refusals leave the checkpoint' cmp ck kept
  cp kept.rows ck.rows
  # what decides only about the form of the result may change
  exits 0 'goes on in another form' "${long[@]}" -o out --checkpoint ck --resume -v
  check 'it says what the checkpoint had' grep -q 'units, of which a checkpoint had [1-9]' err
  check 'in another form: the same bytes' cmp out whole
else
  skip 'the list ended before its time limit'
fi

# the same of a census of each vertex
"$motifsieve" "${vertices[@]}" -k 4 -o whole -q
"$motifsieve" "${vertices[@]}" -k 4 -o out --checkpoint ck --checkpoint-seconds 0.01 --timeout 0.3 -q
if [ -e ck ]; then
  resume=(--checkpoint ck --resume -o out)
  refuses 3 "another run: 'k' is 4 in the checkpoint, and 3 in this run" "${vertices[@]}" "${resume[@]}"
  refuses 3 "another run: 'command' is census of each vertex in the checkpoint, and census in" census kg.tsv -c kc.tsv -k 4 "${resume[@]}"
  refuses 3 "another run: 'most motifs of a vertex' is 0 in the checkpoint, and 7" "${vertices[@]}" -k 4 --top 7 "${resume[@]}"
  exits 0 'a census of each vertex goes on' "${vertices[@]}" -k 4 "${resume[@]}" -v
  check 'it says what the checkpoint had' grep -q 'a checkpoint had [1-9][0-9]* vertices' err
  check 'a census of each vertex goes on: the same bytes' cmp out whole
else
  skip 'the census of each vertex ended before its time limit'
fi
(
  ulimit -f 300
  exec timeout 60 "$motifsieve" "${vertices[@]}" -k 4 --checkpoint ck --checkpoint-seconds 0.01 2>err
) | cat >full
check 'a full disk: the census of each vertex goes on' cmp full whole
check 'a full disk: it says so, once' test "$(grep -c 'warning: the state of the run could not be saved: .*; the run goes on' err)" -eq 1
check 'a full disk: nothing is left' test ! -e ck -a ! -e ck.rows

# a file that is no checkpoint stays, also where there is nothing to search
printf 'data\n' >mine
exits 0 'nothing to search' match kg.tsv '(a:none)--(b)' -c kc.tsv --checkpoint mine -o out -q
check 'a file that is no checkpoint stays' grep -q data mine

# no room for the rows: a limit of the size of files stands for a full disk
"$motifsieve" "${list[@]}" -m c0,c1,c2,c3 --exact -o whole -q
(
  ulimit -f 300
  exec timeout 60 "$motifsieve" "${list[@]}" -m c0,c1,c2,c3 --checkpoint ck --checkpoint-seconds 0.01 2>err
) | cat >full
check 'a full disk: the run goes on' cmp full whole
check 'a full disk: it says so, once' test "$(grep -c 'warning: the state of the run could not be saved: .*; the run goes on' err)" -eq 1
check 'a full disk: nothing is left' test ! -e ck -a ! -e ck.rows
