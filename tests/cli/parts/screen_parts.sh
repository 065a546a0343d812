# screen --screen always --part and merge: the file of the undivided sieve for several numbers of parts, forms and
# options, also where it ends early; with checkpoints that survive kills; what is refused, and each damaged bit.
# shellcheck shell=bash disable=SC2046,SC2086,SC2154

"$motifsieve" gen power-law -n 300 --exponent -1 --edges 1200 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
printf '5\tc"x,y\n5\trare\n' >>kc.tsv
# an edge that is in no match: the sieve of the graph with it does not end early
{ cat kg.tsv && printf 'x\ty\n'; } >late.tsv
sed '1!G;h;$!d' kc.tsv >names.tsv
{ cat kc.tsv && printf 'x\tc0\ny\tc1\n'; } >latec.tsv
sieve=(--screen always --backend cpu)

# same_parts GRAPH COLORS PARTS OPTION...: checks the merged file against the whole one.
same_parts() {
  local graph=$1 colors=$2 parts=$3 part
  shift 3
  call screen $graph -c $colors "${sieve[@]}" -t 2 "$@" -q -o whole
  for ((part = 1; part <= parts; part++)); do
    call screen $graph -c $colors "${sieve[@]}" -t $((part % 2 + 1)) "$@" -q --part $part/$parts -o p$part
    check "part $part of $parts: $graph $*" test $rc -eq 0
  done
  mv $graph away # the inputs are not needed
  call merge $(seq -f 'p%g' $parts -1 1) -o merged
  mv away $graph
  check "$parts parts: $graph $*" cmp whole merged
}
while read -r options; do
  for parts in 1 2 5; do
    same_parts kg.tsv kc.tsv $parts $options
    same_parts late.tsv latec.tsv $parts $options
  done
done <<'END'
-m c0:2,c1:2,c2,c3
-m c0:4,c1:4,c2:2 --repetitions 3 --no-prune
-m c0,c1 --all
-m c0:3,c1|c2:2,* --json --seed 7
-m c0:2,c1 --json --all --labels names.tsv --recurrence classic
-m c0:2,c1 --labels names.tsv --error 1e-30
-m rare:2,c0 --all
END
check 'some sieve ends early' grep -q 'repetitions: 1 of 4' <("$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0,c1 -q)

# the schema; what a part says of itself
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --json --part 1/2 -o j1.json -q
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 1/2 -o p1.tsv -q
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 2/2 -o p2.tsv -q
check 'a part says so' grep -qx '# part: 1 of 2' p1.tsv
if python3 -c 'import jsonschema' 2>/dev/null; then
  check 'a part follows the schema' python3 "$cli/schema.py" "$here/../docs/result.schema.json" j1.json >schema.out
fi
refuses 2 'p1.tsv: is a part of a sieve, which flags no vertex yet; merge the parts' verify p1.tsv kg.tsv -c kc.tsv
refuses 2 'only the sieve is divided into units, and enumeration is not; choose --screen always' screen kg.tsv -c kc.tsv -m c0,c1 --part 1/2
refuses 2 'a sieve without|scores of vertices cannot be divided' screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0,c1 --part 1/2 --vertex-scores <(printf '1\t1\n')
refuses 2 'a part of a screen cannot be written in this form' screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0,c1 --part 1/2 --dot
refuses 3 'part 2 of 2 is missing' merge p1.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
refuses 3 'another run than p1.tsv: .form. is TSV' merge p1.tsv j1.json
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 2/2 -s 2 -o other.tsv -q
refuses 3 "another run than p1.tsv: 'seed' is 1 in the first file, and 2" merge p1.tsv other.tsv
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 2/2 --no-prune -o other.tsv -q
refuses 3 'other.tsv: refused: its rows are not those of p1.tsv' merge p1.tsv other.tsv
sed -E '0,/\t[0-9a-f]{6,}$/s//\t00/' p2.tsv >x
mend x
refuses 3 'x: refused: line [0-9]+: values must be two hexadecimal digits for each of' merge p1.tsv x
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:8,c1:8,c2 --part 2/2 --timeout 0.01 -o late2.tsv -q
if grep -q 'incomplete: time' late2.tsv; then
  "$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1,c2 --part 1/2 -o late1.tsv -q
  check 'an incomplete part has no values' grep -q 'repetitions: 0 of' late2.tsv
fi

# each bit of a part that is wrong is noticed
if command -v python3 >/dev/null; then
  check 'each wrong bit is refused' python3 - "$motifsieve" p1.tsv p2.tsv <<'END'
import random, subprocess, sys
tool, first, second = sys.argv[1:]
whole = open(second, 'rb').read()
random.seed(3)
for bit in random.sample(range(8 * len(whole)), 40):
    wrong = bytearray(whole)
    wrong[bit // 8] ^= 1 << bit % 8
    open('wrong.tsv', 'wb').write(wrong)
    code = subprocess.run([tool, 'merge', first, 'wrong.tsv', '-o', 'm.tsv'], capture_output=True, timeout=60).returncode
    assert code == 3, (bit, code)
END
fi

# a part with a checkpoint that is killed at random points and goes on
options=(kg.tsv -c kc.tsv "${sieve[@]}" -t 2 --no-prune -m c0:4,c1:4,c2:3,c3:2 --repetitions 4)
part=(--part 2/3)
begin=$(date +%s%N)
"$motifsieve" screen "${options[@]}" "${part[@]}" -q -o whole.tsv
span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds of a whole run
kills=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { n = int(8 * scale); print n < 3 ? 3 : n }')
killed=0
for ((i = 0; i < kills * 4 && killed < kills; i++)); do
  after=$(awk -v span="$span" -v i="$RANDOM" 'BEGIN { printf "%.3f", (5 + i % 1000 / 1000 * span) / 1000 }')
  timeout --foreground --preserve-status -s KILL "$after" "$motifsieve" screen "${options[@]}" "${part[@]}" -o out.tsv --checkpoint ck \
    --checkpoint-seconds 0.01 --resume -q 2>err
  rc=$?
  if [ $rc -eq 137 ]; then
    killed=$((killed + 1))
    continue
  fi
  check "run $i after kills ends (exit code $rc)" test $rc -eq 0
  check "run $i after kills: the same bytes" cmp out.tsv whole.tsv
done
check 'runs were killed' test "$killed" -gt 0
rm -f ./*.tmp-*
if [ -e ck ]; then
  refuses 3 "another run: 'part' is 2 of 3 in the checkpoint, and 1 of 3" screen "${options[@]}" --part 1/3 -o out.tsv --checkpoint ck --resume
fi
exits 0 'the last one ends' screen "${options[@]}" "${part[@]}" -o out.tsv --checkpoint ck --resume -q
check 'the last one: the same bytes' cmp out.tsv whole.tsv
