# Lists that are killed at random points and go on give the file of one that was not killed, in each form; other inputs,
# damage, and files that are no checkpoint are refused; a full disk costs the checkpoint, not the run.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 1500 --exponent -1 --edges 9000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
list=(list kg.tsv -c kc.tsv -t 2)

# each OUTPUT COMMAND...: the command, which writes OUTPUT, is killed at random points of its time, and goes on.
each() {
  out=$1 whole=whole.$1
  shift
  survives "$(kills 5 2)" 0.01 "$@"
  ends_as_whole "$@"
}
each rows.tsv "${list[@]}" -m c0,c1,c2,c3 --exact             # sorted
each rows.json "${list[@]}" -m c0:2,c1,c2 --exact --json   # in the order of the search
each rows.tsv.gz "${list[@]}" -m c0,c1,c2 --exact --density
each part.tsv "${list[@]}" -m c0,c1,c2,c3 --part 2/3
each rows.bin match kg.tsv path:4 --screen never --engine cpu -t 2 --binary
each rows.json.zst match kg.tsv cycle:4 --screen never --engine cpu -t 2 --json
each part.json match kg.tsv cycle:4 -t 2 --json --part 1/2

vertices=(census kg.tsv -c kc.tsv --per-vertex -t 2)
each vertices.tsv "${vertices[@]}"
each vertices.json.gz "${vertices[@]}" --json --min-count 3
each part.tsv "${vertices[@]}" --top 4 --part 2/3

# a stop saves the state; the run says what it had
long=("${list[@]}" -m 'c0:2,c1,c2,c3' --min-density 0.7)
measure "$motifsieve" "${long[@]}" --exact -o whole -q
stops_with_state "$(awk -v span="$span" 'BEGIN { print span / 2000 }')" "${long[@]}" --json -o out --checkpoint-seconds 0.01
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

# the same of a census of each vertex
"$motifsieve" "${vertices[@]}" -k 4 -o whole -q
stops_with_state 0.3 "${vertices[@]}" -k 4 -o out --checkpoint-seconds 0.01
resume=(--checkpoint ck --resume -o out)
refuses 3 "another run: 'k' is 4 in the checkpoint, and 3 in this run" "${vertices[@]}" "${resume[@]}"
refuses 3 "another run: 'command' is census of each vertex in the checkpoint, and census in" census kg.tsv -c kc.tsv -k 4 "${resume[@]}"
refuses 3 "another run: 'most motifs of a vertex' is 0 in the checkpoint, and 7" "${vertices[@]}" -k 4 --top 7 "${resume[@]}"
exits 0 'a census of each vertex goes on' "${vertices[@]}" -k 4 "${resume[@]}" -v
check 'it says what the checkpoint had' grep -q 'a checkpoint had [1-9][0-9]* vertices' err
check 'a census of each vertex goes on: the same bytes' cmp out whole
(
  ulimit -f 300
  exec timeout 60 "$motifsieve" "${vertices[@]}" -k 4 --checkpoint ck --checkpoint-seconds 0.01 2>err
) | cat >full
check 'a full disk: the census of each vertex goes on' cmp full whole
check 'a full disk: it says so, once' test "$(grep -c 'warning: the state of the run could not be saved: .*; the run goes on' err)" -eq 1
check 'a full disk: nothing is left' test ! -e ck -a ! -e ck.rows

# a file that is no checkpoint stays, also where there is nothing to search
printf 'data\n' >mine
exits 0 'nothing to search' match kg.tsv '(a:none)--(b)' -c kc.tsv --ignore-unknown --checkpoint mine -o out -q
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
