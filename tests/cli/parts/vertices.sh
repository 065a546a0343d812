# census --per-vertex --part and merge: the file of the undivided run, also where vertices are cut; what is refused.
# shellcheck shell=bash disable=SC2046,SC2086,SC2154

# a hub that is cut, with many neighbours that are joined, and vertices far from it
"$motifsieve" gen power-law -n 400 --exponent -1 --edges 1500 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
awk 'BEGIN { for (i = 0; i < 300; i++) print "hub\t" i }' >>kg.tsv
printf 'hub\tc0\nhub\tc2\n' >>kc.tsv
cuts=0
while read -r options; do
  call census kg.tsv -c kc.tsv --per-vertex -t 2 $options -o whole
  check "whole: $options" test $rc -eq 0
  for parts in 1 3 7; do
    for ((part = 1; part <= parts; part++)); do
      call census kg.tsv -c kc.tsv --per-vertex -t $((part % 2 + 1)) $options --part $part/$parts -o p$part
      check "part $part of $parts: $options" test $rc -eq 0
    done
    mv kg.tsv away # the inputs are not needed
    call merge $(seq -f 'p%g' $parts -1 1) -o merged
    mv away kg.tsv
    check "$parts parts: $options" cmp whole merged
    cuts=$((cuts + $(grep -Ec '	[0-9,]+$|"color_ids":\[[0-9]' p1)))
  done
done <<'END'
-k 3
-k 4 --min-count 40
-k 4 --top 2 --json
-k 3 --primary-color --json
-k 4 --colors-only c1,c2
-k 2
END
check 'some vertex is cut' test $cuts -gt 0

for part in 1 2; do "$motifsieve" census kg.tsv -c kc.tsv --per-vertex -k 3 --part $part/2 -o p$part.tsv; done
"$motifsieve" census g.tsv -c c.tsv --per-vertex -k 3 --part 2/2 --json -o j2.json
if python3 -c 'import jsonschema' 2>/dev/null; then
  check 'a part follows the schema' python3 "$cli/schema.py" "$here/../docs/result.schema.json" j2.json >schema.out
fi
refuses 2 'p1.tsv: is a part of a census of each vertex' verify p1.tsv kg.tsv -c kc.tsv
refuses 3 'part 2 of 2 is missing' merge p1.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
"$motifsieve" census kg.tsv -c kc.tsv --per-vertex -k 4 --part 2/2 -o other.tsv
refuses 3 "other.tsv: is a part of another run than p1.tsv: '(k|units)' is" merge p1.tsv other.tsv
"$motifsieve" census kg.tsv -c kc.tsv -k 3 --part 2/2 -o other.tsv
refuses 3 'other.tsv: is a part of another run than p1.tsv' merge p1.tsv other.tsv
sed -E 's/^([^#v].*	)1	([0-9,]*)$/\12	\2/' p2.tsv >x
mend x
refuses 3 'x:[0-9]+: refused: the unit of the row is wrong' merge p1.tsv x
sed -E 's/^([^#v].*	)[0-9]+	([0-9,]*)$/\1y	\2/' p2.tsv >x
mend x
refuses 3 'x: refused: .*unit must be a number' merge p1.tsv x
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
