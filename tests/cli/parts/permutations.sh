# census --permutations --part and merge: the file of the undivided run for each null, several numbers of parts, forms and
# orders; with checkpoints that survive kills and stops; what is refused, and each damaged bit.
# shellcheck shell=bash disable=SC2046,SC2086,SC2154

"$motifsieve" gen power-law -n 200 --exponent -1 --edges 700 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
# a rare colour, with motifs that have no set and are expected
awk -F '\t' '{ print $1 "\t" ($1 % 28 == 5 ? "rare" : $2) }' kc.tsv >x && mv x kc.tsv
awk -F '\t' '{ print $0 "\t" ($1 % 3) }' kc.tsv >strata.tsv
permuted=(census kg.tsv -c kc.tsv -k 3)

while read -r options; do
  call "${permuted[@]}" -t 2 $options -o whole
  check "whole: $options" test $rc -eq 0
  for parts in 1 3 8; do
    for ((part = 1; part <= parts; part++)); do
      call "${permuted[@]}" -t $((part % 2 + 1)) $options --part $part/$parts -o p$part
      check "part $part of $parts: $options" test $rc -eq 0
    done
    mv kg.tsv away # the inputs are not needed
    call merge $(seq -f 'p%g' $parts -1 1) -o merged
    mv away kg.tsv
    check "$parts parts: $options" cmp whole merged
  done
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
call census kg.tsv -c strata.tsv -k 3 --permutations 10 --strata 3 -o whole
for part in 1 2; do call census kg.tsv -c strata.tsv -k 3 --permutations 10 --strata 3 --part $part/2 -o p$part; done
call merge p1 p2 -o merged
check 'strata' cmp whole merged

# the schema; what a part says of itself; what is refused
for part in 1 2; do "$motifsieve" "${permuted[@]}" --permutations 9 --part $part/2 -o p$part.tsv; done
"$motifsieve" "${permuted[@]}" --permutations 9 --part 2/2 --json -o j2.json
check 'a part says how many permutations it has' grep -qx '# permutations: 4 of 9' p1.tsv
if python3 -c 'import jsonschema' 2>/dev/null; then
  check 'a part follows the schema' python3 "$cli/schema.py" "$here/../docs/result.schema.json" j2.json >schema.out
fi
refuses 2 'p1.tsv: is a part of permutations, which has sums in place of statistics; merge the parts' verify p1.tsv kg.tsv -c kc.tsv
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
refuses 3 'refused: .*the sums of permutations must be whole numbers' merge p1.tsv x
if command -v python3 >/dev/null; then
  check 'each wrong bit is refused' python3 - "$motifsieve" p1.tsv p2.tsv <<'END'
import random, subprocess, sys
tool, first, second = sys.argv[1:]
whole = open(second, 'rb').read()
random.seed(3)
for bit in random.sample(range(8 * len(whole)), 30):
    wrong = bytearray(whole)
    wrong[bit // 8] ^= 1 << bit % 8
    open('wrong.tsv', 'wb').write(wrong)
    code = subprocess.run([tool, 'merge', first, 'wrong.tsv', '-o', 'm.tsv'], capture_output=True, timeout=60).returncode
    assert code == 3, (bit, code)
END
fi

# checkpoints
kills=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { n = int(4 * scale); print n < 2 ? 2 : n }')
# survives NAME OPTION...: a run that is killed at random points of its time, and goes on, gives the same bytes.
survives() {
  local name=$1 begin span after rc killed=0
  shift
  begin=$(date +%s%N)
  "$motifsieve" "${permuted[@]}" -t 2 "$@" -o whole.tsv
  span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds of a whole run
  for ((i = 0; i < kills * 4 && killed < kills; i++)); do
    after=$(awk -v span="$span" -v i="$RANDOM" 'BEGIN { printf "%.3f", (5 + i % 1000 / 1000 * span) / 1000 }')
    timeout --foreground --preserve-status -s KILL "$after" "$motifsieve" "${permuted[@]}" -t 2 "$@" -o out.tsv --checkpoint ck \
      --checkpoint-seconds 0.005 --resume -q 2>err
    rc=$?
    if [ $rc -eq 137 ]; then
      killed=$((killed + 1))
      continue
    fi
    check "$name: run $i after kills ends (exit code $rc)" test $rc -eq 0
    check "$name: run $i after kills: the same bytes" cmp out.tsv whole.tsv
  done
  check "$name: runs were killed" test "$killed" -gt 0
  exits 0 "$name: the last one ends" "${permuted[@]}" -t 2 "$@" -o out.tsv --checkpoint ck --resume -q
  check "$name: the last one: the same bytes" cmp out.tsv whole.tsv
  check "$name: the checkpoint is gone" test ! -e ck
  rm -f ./*.tmp-*
}
survives labels --permutations 3000
survives edges --permutations 40 --null edges
survives maximum --permutations 1000 --max-t
survives part --permutations 4000 --part 2/3

"$motifsieve" "${permuted[@]}" --permutations 100000 --checkpoint ck --timeout 0.3 -o out.tsv -q
if [ -e ck ]; then
  cp ck kept
  resume=(--checkpoint ck --resume -o out.tsv --timeout 0.2)
  refuses 3 "another run: 'seed' is 1 in the checkpoint, and 2" "${permuted[@]}" --permutations 100000 -s 2 "${resume[@]}"
  refuses 3 "another run: 'null' is labels in the checkpoint, and degree" "${permuted[@]}" --permutations 100000 --null degree "${resume[@]}"
  refuses 3 "another run: 'permutations' is 100000 in the checkpoint, and 9" "${permuted[@]}" --permutations 9 "${resume[@]}"
  refuses 3 "another run: 'command' is permutations of a census in the checkpoint, and census" "${permuted[@]}" "${resume[@]}"
  check 'refusals leave the checkpoint' cmp ck kept
  call "${permuted[@]}" --permutations 100000 "${resume[@]}" -v
  check 'it says what the checkpoint had' grep -Eq 'a checkpoint had [1-9][0-9]* permutations' err
  if command -v python3 >/dev/null; then
    check 'each wrong bit of a checkpoint is refused' python3 - "$motifsieve" kept <<'END'
import random, subprocess, sys
tool, kept = sys.argv[1:]
whole = open(kept, 'rb').read()
random.seed(5)
for bit in random.sample(range(8 * len(whole)), 30):
    wrong = bytearray(whole)
    wrong[bit // 8] ^= 1 << bit % 8
    open('wrong', 'wb').write(wrong)
    command = [tool, *'census kg.tsv -c kc.tsv -k 3 --permutations 100000 -q --resume -o x.tsv --timeout 20 --checkpoint wrong'.split()]
    code = subprocess.run(command, capture_output=True, timeout=60).returncode
    assert code == 3, (bit, code)
END
  fi
fi
